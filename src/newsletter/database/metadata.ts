import type { QueryCreator } from 'kysely';
import type { Schema } from './schema.ts';

/** Reads a value about the store; undefined if there is none. */
export async function readMetadata(db: QueryCreator<Schema>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('metadata').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Writes a value. In a transaction this also locks it until the transaction ends. */
export async function writeMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<void> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Writes a value unless there is one. @returns the stored value */
export async function keepMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<string> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await readMetadata(db, name)) ?? value;
}
