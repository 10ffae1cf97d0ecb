import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('normalised_address', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('first_source', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('state_changed_at', 'text', (column) => column.notNull())
    .addColumn('engaged_at', 'text', (column) => column.notNull())
    .addColumn('mail_queued_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('consent_wordings')
    .addColumn('version', 'text', (column) => column.primaryKey())
    .addColumn('wording', 'text', (column) => column.notNull())
    .addColumn('first_shown_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('consent_records')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('wording_version', 'text')
    .addColumn('form', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('address_hash', 'text')
    .execute();
  await db.schema.createIndex('consent_records_of').on('consent_records').column('subscriber_id').execute();
  await db.schema
    .createIndex('consent_records_erased')
    .on('consent_records')
    .column('address_hash')
    .where('address_hash', 'is not', null)
    .execute();

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('give_up_at', 'text', (column) => column.notNull())
    .addColumn('claimed_until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('last_error', 'text')
    .execute();
  await db.schema.createIndex('deliveries_of').on('deliveries').column('subscriber_id').execute();
  // What is still to be done stays a small index however many deliveries lie behind.
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('due_at')
    .where(sql.ref('state'), '=', 'waiting')
    .execute();
  await db.schema
    .createIndex('deliveries_failed')
    .on('deliveries')
    .column('id')
    .where(sql.ref('state'), '=', 'failed')
    .execute();

  await db.schema
    .createTable('mail_slots')
    .addColumn('delivery_id', 'text', (column) => column.primaryKey())
    .addColumn('mailbox_hash', 'text')
    .addColumn('taken_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('mail_slots_taken').on('mail_slots').column('taken_at').execute();
  await db.schema.createIndex('mail_slots_mailbox').on('mail_slots').column('mailbox_hash').execute();

  await db.schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
