import type { Hono } from 'hono';
import { formatClock } from '#commands/format.ts';
import { type Act, answerForm } from '../answer-form.ts';
import type { Desk } from '../desk-types.ts';
import { Button, Form } from '../parts.tsx';
import { checkWords } from './check-words.ts';
import { confirmWords, dropWords, type FieldState, keepTyped, readFields, signWords, type Site } from './draft.ts';
import { Controls } from './fields.tsx';
import { changeList, readTyped, type Texts } from './read-typed.ts';
import { listFields, SITE_PARTS, type SitePart } from './site-parts.ts';

/** Adds the page of each part, on which its fields are changed. Every key she types is kept as a draft. */
export function addPartPages(app: Hono, desk: Desk, site: Site): void {
  for (const part of SITE_PARTS) addPartPage(app, desk, site, part);
}

function addPartPage(app: Hono, desk: Desk, site: Site, part: SitePart): void {
  const path = `/website/${part.id}`;
  app.get(path, (context) => {
    const all = readFields(site);
    const keys = new Set(listFields(part).map(({ key }) => key));
    const fields = all.filter(({ key }) => keys.has(key));
    const mistakes = checkWords(site, all);
    const isChanged = fields.some((field) => field.isChanged);
    return context.render(
      <Form id="part" encType="multipart/form-data" data-place={desk.env.DATA_DIR}>
        <input type="hidden" name="draft" value={JSON.stringify(signWords(fields))} />
        {/* The first button is the one that Enter presses. */}
        <Button act="save" className="skip">
          Save
        </Button>
        <Controls fields={fields} mistakes={mistakes} />
        {isChanged && <Button act="put-back">Put back what is live</Button>}
      </Form>,
      {
        title: part.title,
        eyebrow: (
          <>
            <a href="/website">Website</a> · {part.group}
          </>
        ),
        actions: (
          <>
            <span className="quiet" aria-live="polite" data-draft-state />
            <Button form="part" act="save">
              Save and check
            </Button>
          </>
        ),
      },
    );
  });
  app.post(path, answerForm(desk, createAct(site, part, path)));
  app.post(`${path}/draft`, async ({ req, text, header }) => {
    keepForm(site, part, await req.parseBody<Texts>());
    header('Desk-Draft', JSON.stringify(signWords(readFields(site, [part]))));
    return text(`Draft kept at ${formatClock(Date.now())}`);
  });
}

function createAct(site: Site, part: SitePart, path: string): Act {
  return (texts) => {
    keepForm(site, part, texts as Texts);
    const { act = 'save' } = texts;
    if (act === 'save') return { notice: 'Kept as a draft.' };
    const fields = readFields(site, [part]);
    const [verb, place = ''] = act.split(' ');
    const field = fields.find(({ key }) => place === key || place.startsWith(`${key}.`));
    if (verb === 'put-back')
      dropWords(
        site,
        fields.map(({ key }) => key),
      );
    else if (field === undefined) return undefined;
    else if (verb === 'use-file') dropWords(site, [field.key]);
    else if (verb === 'keep') confirmWords(site, field);
    else if (verb === 'use-earlier') replaceWords(site, field, field.earlier);
    else replaceWords(site, field, changeList(field, act));
    return { to: place === '' ? path : `${path}#${place}` };
  };
}

function replaceWords(site: Site, field: FieldState, value: FieldState['value'] | undefined): void {
  if (value === undefined) return;
  keepTyped(site, [field], new Map([[field.key, value]]), signWords([field]));
}

function keepForm(site: Site, part: SitePart, texts: Texts): void {
  const fields = readFields(site, [part]);
  keepTyped(site, fields, readTyped(fields, texts), readSigns(texts.draft ?? ''));
}

function readSigns(text: string): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(text) as Record<string, unknown>).map(([key, sign]) => [key, String(sign)]),
    );
  } catch {
    return {};
  }
}
