import type { QueryCreator } from 'kysely';
import type { Schema } from './schema.ts';

/** Reads a fact that the programs keep about the store; undefined where it is not known. */
export async function readMetadata(db: QueryCreator<Schema>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('metadata').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Writes a fact. In a transaction it also keeps others who write this fact waiting until the transaction ends. */
export async function writeMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<void> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Writes a fact unless it is known. @returns its value */
export async function keepMetadata(db: QueryCreator<Schema>, name: string, value: string): Promise<string> {
  await db
    .insertInto('metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await readMetadata(db, name)) ?? value;
}
