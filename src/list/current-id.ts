import type { Transaction } from 'kysely';
import type { Schema } from '#store/schema.ts';

/** The id under which a person is kept: links mailed before two rows were merged name the one that is gone. */
export async function currentId(tx: Transaction<Schema>, linkedId: string): Promise<string> {
  const alias = await tx
    .selectFrom('subscriber_aliases')
    .select('subscriber_id')
    .where('id', '=', linkedId)
    .executeTakeFirst();
  return alias?.subscriber_id ?? linkedId;
}
