import { useContext } from 'react';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from 'hono';
import { changeDraft, type DraftField } from '#publishing/content-drafts.ts';
import type { Action } from '../handle-forms.ts';
import type { Desk } from '../desk-types.ts';
import { Button, FormState } from '../ui.tsx';
import type { OpenSite } from './open-site.ts';

/**
 * Lets the next page offer to undo an action that removes something.
 * @param sentence says what was done
 * @param place the place of the button on the next page, by default at the first field that changed
 */
export function withUndo(
  open: OpenSite,
  action: Action,
  { sentence, place }: { sentence: string; place?: string },
): Action {
  return async (fields, context) => {
    const before: Record<string, DraftField> = (await open(context)).draft;
    const next = await action(fields, context);
    const after: Record<string, DraftField> = (await open(context)).draft;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (key) => !isDeepStrictEqual(before[key], after[key]),
    );
    if (next === undefined || changed.length === 0) return next;
    const values = Object.fromEntries(changed.map((key) => [key, before[key]]));
    const at = place ?? changed[0]!;
    return { ...next, undo: { at, sentence, values, path: new URL(context.req.url).pathname } };
  };
}

/** Creates the action of the Undo button, which restores only what the other action changed. */
export function createUndo(desk: Pick<Desk, 'results'>, open: OpenSite): Action {
  return async (_, context: Context) => {
    const undo = desk.results.get(context.req.query('result') ?? '')?.undo;
    if (undo === undefined) throw new Error('This can’t be undone any more.');
    const { store, by } = await open(context);
    await changeDraft(store, by, () => undo.values);
    return { to: `${undo.path}#${undo.at}`, notice: 'Undone.' };
  };
}

/** The Undo button, until the owner leaves the page. @property at where on the page this button is */
export function Undo({ at }: { at: string }) {
  const { undo, result } = useContext(FormState);
  if (undo?.at !== at) return null;
  return (
    <div className="notice undo line">
      {undo.sentence}{' '}
      <Button formAction={`${undo.path}?${String(new URLSearchParams({ action: 'undo', result: result ?? '' }))}`}>
        Undo
      </Button>
    </div>
  );
}
