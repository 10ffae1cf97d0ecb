import type { QueryCreator } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Email, Schema } from '../database/schema.ts';
import { findScheduled } from './queue-update.ts';
import { listFileSources, readFileSource, type Source, toSource, type Writing } from './update-files.ts';

type Db = QueryCreator<Schema>;

/**
 * Lists the emails written on the desk, and those in files that the desk hasn't changed, newest first.
 * @param folder absolute path of the build's content/updates
 */
export async function listSources(db: Db, folder: string): Promise<Source[]> {
  const rows = await db.selectFrom('emails').selectAll().orderBy('changed_at', 'desc').execute();
  const names = new Set(rows.map(({ name }) => name));
  return [...rows.map(fromRow), ...listFileSources(folder).filter(({ name }) => !names.has(name))];
}

/** @returns an email from the desk, or otherwise from a file; undefined if there is neither */
export async function readSource(db: Db, folder: string, name: string): Promise<Source | undefined> {
  return (await readStoredEmail(db, name)) ?? readFileSource(folder, name);
}

/** @returns an email from the desk */
export async function readStoredEmail(db: Db, name: string): Promise<Source | undefined> {
  const row = await db.selectFrom('emails').selectAll().where('name', '=', name).executeTakeFirst();
  return row && fromRow(row);
}

function fromRow({ name, subject, preview, roles, text, revision, changed_at: changedAt }: Email): Source {
  const given = roles === null ? undefined : (JSON.parse(roles) as string[]);
  const source = toSource({ subject, preview, text, roles: given });
  return { name, text: source, errors: [], changedAt: Date.parse(changedAt), revision };
}

/**
 * Stores an email.
 * @param email.seen the revision that the text is based on; undefined overwrites any revision
 * @returns the new revision
 * @throws {StaleRevisionError} if another window has changed it since, in which case nothing is stored
 */
export function writeEmail(
  store: Store,
  email: { name: string; writing: Writing; by: string; seen: number | undefined },
): Promise<number> {
  const { name, writing, by, seen } = email;
  return store.transaction(async (tx) => {
    const before = await tx.selectFrom('emails').selectAll().where('name', '=', name).executeTakeFirst();
    const source = toSource(writing);
    if (before && fromRow(before).text === source) return before.revision;
    if (before && seen !== undefined && before.revision !== seen) throw new StaleRevisionError();
    const row = {
      subject: writing.subject,
      preview: writing.preview,
      roles: writing.roles === undefined ? null : JSON.stringify(writing.roles),
      text: writing.text,
      revision: (before?.revision ?? 0) + 1,
      changed_by: by,
      changed_at: toIso(Date.now()),
    };
    await tx
      .insertInto('emails')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    return row.revision;
  });
}

export class StaleRevisionError extends Error {
  override message =
    'Another window has changed this update since. Your text stays in this window; save it to replace the other text.';
}

/**
 * Removes an email from the desk; if there is a file with its name, that is shown again.
 * @throws if it is scheduled, since it would still go out
 */
export async function removeEmail(db: Db, name: string): Promise<void> {
  if ((await findScheduled(db, { file: `${name}.md`, textHash: '' })) !== undefined) {
    throw new Error('This update is scheduled, and would still go out. Cancel it first; then you can remove it.');
  }
  await db.deleteFrom('emails').where('name', '=', name).execute();
}
