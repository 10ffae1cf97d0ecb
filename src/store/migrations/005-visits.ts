import type { Kysely } from 'kysely';

/** How often each page was shown on each day, by where visitors came from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visits')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('referrer', 'text', (column) => column.notNull())
    .addColumn('campaign', 'text', (column) => column.notNull())
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addColumn('sign_ups', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('visits_key', ['day', 'page', 'referrer', 'campaign'])
    .execute();
}
