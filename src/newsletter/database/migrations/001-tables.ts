import { type Kysely, sql, SqliteAdapter } from 'kysely';
import { createContent } from './content-tables.ts';
import { isOneOf } from './is-one-of.ts';
import { createSignIn } from './sign-in-tables.ts';
import type { ConsentRecord, Delivery, Erasure, Fault, Schema, SentUpdate, Subscriber } from '../schema.ts';

/** Creates every table; Schema in schema.ts explains the columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createConsents(db);
  await createUpdates(db);
  await createDeliveries(db);
  await createMails(db);
  await createPageViews(db);
  await createSignIn(db);
  await createContent(db);
  await db.schema
    .createTable('metadata')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute();
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('normalised_email', 'text', (column) => column.notNull())
    .addColumn('mailbox_hash', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('first_source', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('state_changed_at', 'text', (column) => column.notNull())
    .addColumn('engaged_at', 'text', (column) => column.notNull())
    .addColumn('confirmation_queued_at', 'text')
    .addColumn('undeliverable_reason', 'text')
    .addCheckConstraint('subscribers_state', isOneOf('state', SUBSCRIBER_STATES))
    .addCheckConstraint(
      'subscribers_undeliverable_reason',
      sql`undeliverable_reason is null or state = 'undeliverable'`,
    )
    .execute();
  // The list is read in this order, a batch at a time.
  await db.schema.createIndex('subscribers_in_order').on('subscribers').columns(['created_at', 'id']).execute();
  // Finds people whose retention period is over. If the state came first, SQLite would use it for any query by state.
  await db.schema.createIndex('subscribers_engaged').on('subscribers').columns(['engaged_at', 'state', 'id']).execute();
  // Counting states and their changes reads only this index.
  await db.schema.createIndex('subscribers_changed').on('subscribers').columns(['state_changed_at', 'state']).execute();
  await db.schema.createIndex('subscribers_email').on('subscribers').column('normalised_email').execute();
  await db.schema
    .createTable('address_changes')
    .addColumn('subscriber_id', 'text', (column) =>
      column.primaryKey().references('subscribers.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('normalised_email', 'text', (column) => column.notNull())
    .addColumn('mailbox_hash', 'text', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('former_mailboxes')
    .addColumn('mailbox_hash', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull().references('subscribers.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('former_mailboxes_of').on('former_mailboxes').column('subscriber_id').execute();
  await db.schema
    .createTable('erasures')
    .addColumn('subscriber_id', 'text', (column) => column.primaryKey())
    .addColumn('mailbox_hash', 'text', (column) => column.notNull())
    .addColumn('why', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addCheckConstraint('erasures_why', isOneOf('why', ERASURE_REASONS))
    .execute();
  await db.schema.createIndex('erasures_mailbox_hash').on('erasures').column('mailbox_hash').execute();
}

async function createConsents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('consent_wordings')
    .addColumn('version', 'text', (column) => column.primaryKey())
    .addColumn('wording', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('consent_records')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull().references('subscribers.id').onDelete('cascade'))
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('wording_version', 'text', (column) => column.references('consent_wordings.version'))
    .addColumn('form', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('evidence', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addCheckConstraint('consent_records_event', isOneOf('event', CONSENT_EVENTS))
    .addCheckConstraint('consent_records_evidence', isOneOf('evidence', EVIDENCE))
    .execute();
  await db.schema.createIndex('consent_records_events').on('consent_records').columns(['event', 'at']).execute();
  await db.schema.createIndex('consent_records_of').on('consent_records').column('subscriber_id').execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subscriber_id', 'text', (column) => column.references('subscribers.id').onDelete('cascade'))
    .addColumn('update_id', 'text', (column) => column.references('updates.id'))
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('interruptions', 'integer', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('give_up_at', 'text', (column) => column.notNull())
    .addColumn('lease_until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('fault', 'text')
    .addColumn('last_error', 'text')
    .addCheckConstraint('deliveries_state', isOneOf('state', DELIVERY_STATES))
    .addCheckConstraint('deliveries_fault', isOneOf('fault', FAULTS))
    .addCheckConstraint(
      'deliveries_to_subscribers',
      sql`subscriber_id is not null or kind not in ('welcome', 'confirmation', 'renewal', 'new-address', 'update')`,
    )
    .addCheckConstraint('deliveries_of_updates', sql`(kind = 'update') = (update_id is not null)`)
    .execute();
  await db.schema.createIndex('deliveries_of').on('deliveries').column('subscriber_id').execute();
  await db.schema
    .createIndex('deliveries_of_update')
    .unique()
    .on('deliveries')
    .columns(['update_id', 'subscriber_id'])
    .where(sql.ref('update_id'), 'is not', null)
    .execute();
  // Lets a worker find the one welcome email at once, even if 100,000 emails of an update are waiting.
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['state', 'kind', 'update_id', 'due_at'])
    .execute();
  // Finds the emails of one update that finished last.
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
    .addColumn('text_hash', 'text', (column) => column.notNull())
    .addColumn('again', 'integer', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
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
    .addCheckConstraint('updates_state', isOneOf('state', UPDATE_STATES))
    .execute();

  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('update_readers')
    .addColumn('subscriber_id', 'text', (column) => column.notNull().references('subscribers.id').onDelete('cascade'))
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('text_hash', 'text', (column) => column.notNull())
    .addColumn('update_id', 'text', (column) => column.references('updates.id'))
    .addPrimaryKeyConstraint('update_readers_key', ['subscriber_id', 'file', 'text_hash'])
    // One tree instead of a table and its index takes half the space.
    .$call((table) => (isSqlite ? table.modifyEnd(sql`without rowid`) : table))
    .execute();
  await db.schema.createIndex('update_readers_of_update').on('update_readers').column('update_id').execute();
  await db.schema.createIndex('update_readers_of').on('update_readers').column('text_hash').execute();

  await db.schema
    .createTable('bounces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull().references('subscribers.id').onDelete('cascade'))
    .addColumn('fault', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addCheckConstraint('bounces_fault', isOneOf('fault', PASSING_FAULTS))
    .execute();
  await db.schema.createIndex('bounces_of').on('bounces').column('subscriber_id').execute();
  await db.schema
    .createTable('unmatched_reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull().references('subscribers.id').onDelete('cascade'))
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('handled_at', 'text')
    .execute();
  await db.schema.createIndex('unmatched_reports_of').on('unmatched_reports').column('subscriber_id').execute();
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
  await db.schema
    .createTable('decoys')
    .addColumn('day', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();
}

const SUBSCRIBER_STATES = ['subscribed', 'pending', 'unsubscribed', 'undeliverable'] satisfies Subscriber['state'][];
const ERASURE_REASONS = ['asked', 'left'] satisfies Erasure['why'][];
const CONSENT_EVENTS = ['given', 'confirmed', 'withdrawn'] satisfies ConsentRecord['event'][];
const EVIDENCE = ['ticked box', 'vouched for by the sender'] satisfies ConsentRecord['evidence'][];
const FAULTS = ['mailbox', 'full', 'unclear', 'sender'] satisfies Fault[];
const PASSING_FAULTS = ['full', 'unclear'] satisfies Schema['bounces']['fault'][];
const DELIVERY_STATES = ['waiting', 'sending', 'sent', 'failed', 'dropped'] satisfies Delivery['state'][];
const UPDATE_STATES = [
  'queueing',
  'scheduled',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'missed',
] satisfies SentUpdate['state'][];
