import type { QueryCreator } from 'kysely';
import type { Schema } from './schema.ts';

/** Reads a fact about the store; undefined if it isn't known. */
export async function readMetadata(db: QueryCreator<Schema>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('metadata').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Writes a fact. In a transaction this also locks the fact until the transaction ends. */
export async function writeMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<void> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Writes a fact unless there is one. @returns the stored value */
export async function keepMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<string> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await readMetadata(db, name)) ?? value;
}
