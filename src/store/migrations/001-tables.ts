import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Every table; Schema in schema.ts explains the columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createDeliveries(db);
  await createMails(db);
  await createUpdates(db);
  await createPageViews(db);
  await db.schema
    .createTable('metadata')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('normalised_address', 'text', (column) => column.notNull().unique())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('first_source', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('state_changed_at', 'text', (column) => column.notNull())
    .addColumn('engaged_at', 'text', (column) => column.notNull())
    .addColumn('confirmation_queued_at', 'text')
    .addColumn('undeliverable_reason', 'text')
    .execute();
  // The list is read in this order, a portion at a time.
  await db.schema.createIndex('subscribers_in_order').on('subscribers').columns(['created_at', 'id']).execute();
  // Finds people after their retention period. With the state first, SQLite would use it for every list of a state.
  await db.schema.createIndex('subscribers_engaged').on('subscribers').columns(['engaged_at', 'state', 'id']).execute();
  // Finds the mailboxes of people who unsubscribed, and holds no others.
  await db.schema
    .createIndex('subscribers_unsubscribed')
    .on('subscribers')
    .column('mailbox')
    .where(sql.ref('state'), '=', 'unsubscribed')
    .execute();
  await db.schema
    .createTable('consent_wordings')
    .addColumn('version', 'text', (column) => column.primaryKey())
    .addColumn('wording', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('consent_records')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('wording_version', 'text')
    .addColumn('form', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('evidence', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('address_hash', 'text')
    .addColumn('mailbox_hash', 'text')
    .execute();
  await db.schema.createIndex('consent_records_events').on('consent_records').columns(['event', 'at']).execute();
  await db.schema.createIndex('consent_records_of').on('consent_records').column('subscriber_id').execute();
  for (const hash of ['address_hash', 'mailbox_hash']) {
    await db.schema
      .createIndex(`consent_records_${hash}`)
      .on('consent_records')
      .column(hash)
      .where(sql.ref(hash), 'is not', null)
      .execute();
  }
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'text')
    .addColumn('update_id', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('interruptions', 'integer', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('give_up_at', 'text', (column) => column.notNull())
    .addColumn('lease_until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('refusal', 'text')
    .addColumn('last_error', 'text')
    .execute();
  await db.schema.createIndex('deliveries_of').on('deliveries').column('subscriber_id').execute();
  await db.schema
    .createIndex('deliveries_of_update')
    .unique()
    .on('deliveries')
    .columns(['update_id', 'subscriber_id'])
    .where(sql.ref('update_id'), 'is not', null)
    .execute();
  // A worker finds the one welcome mail at once, although a hundred thousand mails of an update wait.
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['state', 'kind', 'update_id', 'due_at'])
    .execute();
  // The last mails that ended of one update.
  await db.schema
    .createIndex('deliveries_ended')
    .on('deliveries')
    .columns(['update_id', 'finished_at'])
    .where(sql.ref('finished_at'), 'is not', null)
    .execute();
}

async function createMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sent_mails')
    .addColumn('delivery_id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('mailbox_hash', 'text')
    .addColumn('taken_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sent_mails_taken').on('sent_mails').column('taken_at').execute();
  await db.schema.createIndex('sent_mails_mailbox').on('sent_mails').column('mailbox_hash').execute();
}

async function createUpdates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('updates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('roles', 'text')
    .addColumn('last_subscriber_id', 'text', (column) => column.notNull())
    .addColumn('recipients', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('paused_from', 'text')
    .addColumn('state_reason', 'text')
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('send_at', 'text', (column) => column.notNull())
    .addColumn('give_up_at', 'text', (column) => column.notNull())
    .addColumn('resumed_at', 'text')
    .addColumn('finished_at', 'text')
    .execute();

  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('update_readers')
    .addColumn('update_id', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('update_readers_key', ['update_id', 'subscriber_id'])
    // One tree instead of a table and its index takes half the room.
    .$call((table) => (isSqlite ? table.modifyEnd(sql`without rowid`) : table))
    .execute();

  await db.schema
    .createTable('bounces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('bounces_of').on('bounces').column('subscriber_id').execute();
}

async function createPageViews(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('page_views')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('views', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('page_views_key', ['day', 'page', 'site'])
    .execute();
}
