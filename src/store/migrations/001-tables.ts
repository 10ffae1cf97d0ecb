import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Every table; Schema in schema.ts explains the columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  // One tree instead of a table and its index takes half the room.
  if (db.getExecutor().adapter instanceof SqliteAdapter) await sql.raw(`${UPDATE_READERS} without rowid`).execute(db);
  else await sql.raw(UPDATE_READERS).execute(db);
}

const STATEMENTS = [
  `create table subscribers (
    id text primary key,
    address text not null,
    normalised_address text not null unique,
    mailbox text not null,
    role text not null,
    first_source text not null,
    state text not null,
    created_at text not null,
    state_changed_at text not null,
    engaged_at text not null,
    confirmation_queued_at text,
    undeliverable_reason text
  )`,
  // The list is read in this order, a portion at a time.
  'create index subscribers_in_order on subscribers (created_at, id)',
  // Finds people after their retention period. With the state first, SQLite would use it for every list of a state.
  'create index subscribers_engaged on subscribers (engaged_at, state, id)',
  // Finds the mailboxes of people who unsubscribed, and holds no others.
  "create index subscribers_unsubscribed on subscribers (mailbox) where state = 'unsubscribed'",
  `create table consent_wordings (
    version text primary key,
    wording text not null,
    first_shown_at text not null
  )`,
  `create table consent_records (
    id text primary key,
    subscriber_id text,
    event text not null,
    wording_version text,
    form text,
    source text not null,
    evidence text,
    at text not null,
    address_hash text,
    mailbox_hash text
  )`,
  'create index consent_records_events on consent_records (event, at)',
  'create index consent_records_of on consent_records (subscriber_id)',
  'create index consent_records_address_hash on consent_records (address_hash) where address_hash is not null',
  'create index consent_records_mailbox_hash on consent_records (mailbox_hash) where mailbox_hash is not null',
  `create table deliveries (
    id text primary key,
    kind text not null,
    subscriber_id text,
    update_id text,
    details text not null,
    state text not null,
    attempts integer not null,
    interruptions integer not null,
    queued_at text not null,
    due_at text not null,
    give_up_at text not null,
    lease_until text,
    finished_at text,
    refusal text,
    last_error text
  )`,
  'create index deliveries_of on deliveries (subscriber_id)',
  'create unique index deliveries_of_update on deliveries (update_id, subscriber_id) where update_id is not null',
  // A worker finds the one welcome mail at once, although a hundred thousand mails of an update wait.
  'create index deliveries_due on deliveries (state, kind, update_id, due_at)',
  // The last mails that ended of one update.
  'create index deliveries_ended on deliveries (update_id, finished_at) where finished_at is not null',
  `create table sent_mails (
    delivery_id text primary key,
    kind text not null,
    mailbox_hash text,
    taken_at text not null
  )`,
  'create index sent_mails_taken on sent_mails (taken_at)',
  'create index sent_mails_mailbox on sent_mails (mailbox_hash)',
  `create table mail_texts (
    kind text not null,
    since text not null,
    subject text not null,
    html text not null,
    text text not null,
    constraint mail_texts_key primary key (kind, since)
  )`,
  `create table bounces (
    id text primary key,
    subscriber_id text not null,
    at text not null
  )`,
  'create index bounces_of on bounces (subscriber_id)',
  `create table updates (
    id text primary key,
    file text not null,
    content_hash text not null,
    subject text not null,
    html text not null,
    text text not null,
    roles text,
    last_subscriber_id text not null,
    recipients integer not null,
    state text not null,
    paused_from text,
    state_reason text,
    queued_at text not null,
    send_at text not null,
    give_up_at text not null,
    resumed_at text,
    finished_at text
  )`,
  `create table visits (
    day text not null,
    page text not null,
    referrer text not null,
    campaign text not null,
    shown integer not null,
    sign_ups integer not null,
    constraint visits_key primary key (day, page, referrer, campaign)
  )`,
  `create table metadata (
    name text primary key,
    value text not null
  )`,
];

const UPDATE_READERS = `create table update_readers (
  update_id text not null,
  subscriber_id text not null,
  constraint update_readers_key primary key (update_id, subscriber_id)
)`;
