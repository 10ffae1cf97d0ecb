import type { QueryCreator, Transaction } from 'kysely';
import type { Value } from '#content/edit-yaml.ts';
import { writeMetadata } from '#newsletter/database/metadata.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Schema } from '#newsletter/database/schema.ts';

/**
 * A field's value that isn't live yet. @property base the live value when the field was first changed
 * @property earlier the value that another window saved before this one overwrote it
 */
export type DraftField = { value: Value; base: Value; earlier?: Value };

/** The changed fields, by their keys. @property changedBy the email address of somebody who may open the desk */
export type Draft = Record<string, DraftField & { changedBy: string; changedAt: string }>;

/** The name of the row that is locked while the draft is being changed. */
export const DRAFT_LOCK = 'draft-lock';

export async function readDraft(db: QueryCreator<Schema>): Promise<Draft> {
  return parseRows(await db.selectFrom('content_drafts').selectAll().orderBy('key').execute());
}

/**
 * Changes the draft in a transaction.
 * @param change returns the fields to write; undefined removes one
 */
export function changeDraft(
  store: Store,
  changedBy: string,
  change: (draft: Draft) => Record<string, DraftField | undefined>,
): Promise<void> {
  return store.transaction(async (tx) => {
    // One at a time, so that each change sees the one before it.
    await writeMetadata(tx, DRAFT_LOCK, '');
    await writeDraft(tx, changedBy, change(await readDraft(tx)));
  });
}

/** Writes some fields of the draft; undefined removes one. */
export async function writeDraft(
  tx: Transaction<Schema>,
  changedBy: string,
  fields: Record<string, DraftField | undefined>,
): Promise<void> {
  for (const [key, field] of Object.entries(fields)) {
    if (field === undefined) {
      await tx.deleteFrom('content_drafts').where('key', '=', key).execute();
      continue;
    }
    const { value, base, earlier } = field;
    const row = {
      value: JSON.stringify(value),
      base: JSON.stringify(base),
      earlier: earlier === undefined ? null : JSON.stringify(earlier),
      changed_by: changedBy,
      changed_at: toIso(Date.now()),
    };
    await tx
      .insertInto('content_drafts')
      .values({ key, revision: 1, ...row })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((update) => ({
          ...row,
          revision: update('content_drafts.revision', '+', 1),
        })),
      )
      .execute();
  }
}

function parseRows(rows: Schema['content_drafts'][]): Draft {
  return Object.fromEntries(
    rows.map(({ key, value, base, earlier, changed_by: changedBy, changed_at: changedAt }) => [
      key,
      {
        value: JSON.parse(value),
        base: JSON.parse(base),
        ...(earlier !== null && { earlier: JSON.parse(earlier) }),
        changedBy,
        changedAt,
      },
    ]),
  );
}
