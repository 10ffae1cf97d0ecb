import type { Kysely } from 'kysely';

/** How often a server ended in the middle of sending a delivery. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('deliveries')
    .addColumn('interruptions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
