import { type Kysely, sql } from 'kysely';

/** Updates, and the one delivery of each to each subscriber. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('updates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('recipients', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('state_reason', 'text')
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('send_at', 'text', (column) => column.notNull())
    .addColumn('resumed_at', 'text')
    .addColumn('finished_at', 'text')
    .execute();

  await db.schema
    .createTable('bounces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('bounces_of').on('bounces').column('subscriber_id').execute();

  await db.schema.alterTable('deliveries').addColumn('update_id', 'text').execute();
  await db.schema.alterTable('deliveries').addColumn('begun_at', 'text').execute();
  await db.schema
    .createIndex('deliveries_of_update')
    .unique()
    .on('deliveries')
    .columns(['update_id', 'subscriber_id'])
    .where(sql.ref('update_id'), 'is not', null)
    .execute();
  // A hundred thousand updates that wait must not stand between a worker and the one welcome mail behind them.
  await db.schema.dropIndex('deliveries_due').execute();
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['kind', 'update_id', 'due_at'])
    .where(sql.ref('state'), '=', 'waiting')
    .execute();
}
