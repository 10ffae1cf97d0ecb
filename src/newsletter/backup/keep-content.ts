import { sql, type Transaction } from 'kysely';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Copies what the owner has written since the backup from the replaced database into the restored one: restoring a list
 * must not undo newer content.
 * @param before the schema of the database being replaced
 */
export async function keepContent(store: Store, before: string): Promise<void> {
  const from = (table: string) => sql.table(`${before}.${table}`);
  await store.transaction(async (tx) => {
    const newest = await readNewest(tx, sql.table('content_versions'));
    await sql`insert into pictures select * from ${from('pictures')} where true on conflict do nothing`.execute(tx);
    if ((await readNewest(tx, from('content_versions'))) > newest) {
      await sql`insert into content_versions select * from ${from('content_versions')} where number > ${newest}`.execute(
        tx,
      );
      // The backup's drafts are out of date: they may have been published since.
      await sql`delete from content_drafts`.execute(tx);
    }
    await sql`insert into content_drafts select * from ${from('content_drafts')} where true
      on conflict (key) do update set
        value = excluded.value, base = excluded.base, earlier = excluded.earlier, revision = excluded.revision,
        changed_by = excluded.changed_by, changed_at = excluded.changed_at
      where excluded.changed_at > content_drafts.changed_at`.execute(tx);
    await sql`insert into emails select * from ${from('emails')} where true
      on conflict (name) do update set
        subject = excluded.subject, preview = excluded.preview, roles = excluded.roles, text = excluded.text,
        revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at
      where excluded.changed_at > emails.changed_at`.execute(tx);
  });
}

async function readNewest(tx: Transaction<Schema>, table: ReturnType<typeof sql.table>): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`select max(number) as newest from ${table}`.execute(tx);
  return rows[0]?.newest ?? 0;
}
