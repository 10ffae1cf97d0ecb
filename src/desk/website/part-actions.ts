import { z } from 'zod';
import { explainError, isForOwner } from '#shared/explain-codes.ts';
import { type Action, createAction, FieldError, type FormDesk } from '../handle-forms.ts';
import {
  keepDraftValue,
  discardChanges,
  type FieldState,
  saveFields,
  readFields,
  readParts,
  hashValues,
  type Site,
} from './draft.ts';
import type { OpenSite } from './open-site.ts';
import { keepOwnersValue } from '#publishing/content-versions.ts';
import { keepPicture } from './picture-forms.tsx';
import { changeList, type ListAction, readFormValues, type FormStrings } from './form-values.ts';
import { PICTURE_SOURCE } from '#content/overlay.ts';
import { type SitePart, toPageKey } from './site-parts.ts';
import { createUndo, withUndo } from './undo.tsx';

/** Creates the actions of a part's forms. Each first saves everything typed as a draft. */
export function createPartActions(desk: FormDesk, open: OpenSite): Record<string, Action> {
  const replacing = (action: Action) => withUndo(open, action, { sentence: 'The other version is in the draft now.' });
  const onField = (change: (site: Site, field: FieldState) => Promise<void>) =>
    createAction(FIELD_FORM, async ({ field: key }, context) => {
      const site = await open(context);
      const id = context.req.param('id')!;
      const field = readFields(site, [findPart(site, id)!]).find((each) => each.key === key);
      if (field === undefined) return undefined;
      await change(site, field);
      return { to: `/desk/website/${id}#${key}` };
    });
  const actions: Record<string, Action> = {
    save: () => ({ notice: 'Saved as a draft.' }),
    revert: withUndo(open, async (_, context) => revert(await open(context), context.req.param('id')!), {
      sentence: 'The changes have been discarded.',
      place: 'part',
    }),
    'use-live': replacing(onField((site, { key }) => discardChanges(site, [key]))),
    keep: onField(keepDraftValue),
    'use-earlier': replacing(onField((site, field) => replaceValue(site, field, field.earlier))),
    'use-git': replacing(onField((site, field) => replaceValue(site, field, field.git))),
    'keep-own': onField(({ store, git, by }, { key, field: { label } }) =>
      keepOwnersValue(store, git, { key, label, by }),
    ),
    'default-picture': withUndo(
      open,
      onField((site, state) => replaceValue(site, state, '')),
      { sentence: 'Your picture has been removed.' },
    ),
    // These need no undo: a page that will be removed has a button that keeps it.
    'remove-page': onField((site, state) => replaceValue(site, state, false)),
    'keep-page': onField((site, state) => replaceValue(site, state, true)),
    ...Object.fromEntries((['add', 'up', 'down'] as const).map((action) => [action, createListAction(open, action)])),
    remove: withUndo(open, createListAction(open, 'remove'), { sentence: 'Removed.' }),
    undo: createUndo(desk, open),
  };
  const keepFirst = Object.entries(actions).map(([name, action]): [string, Action] => [
    name,
    async (fields, context) => {
      const site = await open(context);
      const part = findPart(site, context.req.param('id')!);
      if (part) await keepForm(site, part, fields);
      // A page that was removed has no part.
      return part || name === 'undo' ? action(fields, context) : undefined;
    },
  ]);
  return {
    ...Object.fromEntries(keepFirst),
    picture: withUndo(open, createPictureAction(open), { sentence: 'The picture has been changed.' }),
  };
}

const FIELD_FORM = z.object({ field: z.string() });
const LIST_FORM = z.object({
  list: z.string(),
  index: z.coerce.number().int().min(0),
  variant: z.string().optional(),
});

function createListAction(open: OpenSite, action: ListAction): Action {
  return createAction(LIST_FORM, async ({ list, index, variant }, context) => {
    const site = await open(context);
    const id = context.req.param('id')!;
    const fields = readFields(site, [findPart(site, id)!]);
    const field = fields.find(({ key }) => list === key || list.startsWith(`${key}.`));
    if (field === undefined) return undefined;
    await replaceValue(site, field, changeList(field, { action, list, index, variant }));
    const last = Number((await context.req.parseBody())[`${list}.count`]) - 1;
    const places = { up: index - 1, down: index + 1, remove: index === last ? index - 1 : index };
    if (action !== 'add')
      return { to: `/desk/website/${id}#${places[action] < 0 ? list : `${list}.${places[action]}`}` };
    return { to: `/desk/website/${id}?new=${list}.${index}#${list}.${index}` };
  });
}

function createPictureAction(open: OpenSite): Action {
  return createAction(FIELD_FORM, async ({ field }, context) => {
    const site = await open(context);
    const id = context.req.param('id')!;
    if (findPart(site, id) === undefined) return undefined;
    const chosen = (await context.req.parseBody())[field];
    try {
      await keepPicture(site, field, chosen instanceof File ? chosen : undefined);
    } catch (error) {
      if (!isForOwner(error)) throw error;
      throw new FieldError(field, explainError(error), { cause: error });
    }
    return { to: `/desk/website/${id}#${field}` };
  });
}

/** Discards a part's changes. A page that wasn't live disappears, so the overview follows. */
async function revert(site: Site, id: string) {
  const fields = readFields(site, [findPart(site, id)!]);
  const isNew = fields.some(({ key, live }) => key.startsWith(toPageKey('')) && live === false);
  await discardChanges(
    site,
    fields.map(({ key }) => key),
  );
  return { to: isNew ? '/desk/website' : `/desk/website/${id}#part` };
}

async function replaceValue(site: Site, field: FieldState, value: FieldState['value'] | undefined): Promise<void> {
  if (value === undefined) return;
  await saveFields(site, [field], new Map([[field.key, value]]), hashValues([[field.key, field.value]]));
}

/** Saves everything typed as a draft. @returns the hashes of the content that the window shows now */
export async function keepForm(site: Site, part: SitePart, strings: FormStrings): Promise<Record<string, string>> {
  const fields = readFields(site, [part]).filter(({ file }) => file !== PICTURE_SOURCE);
  const values = readFormValues(fields, strings);
  await saveFields(site, fields, values, JSON.parse(strings.draft ?? '{}') as Record<string, string>);
  return hashValues(values);
}

/** @returns undefined if the site has no such part */
export function findPart(site: Site, id: string): SitePart | undefined {
  return readParts(site).find((part) => part.id === id);
}
