import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as yieldToOthers, setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { normaliseForSearch, hashErasedAddress, hashMailbox } from './address.ts';
import { markErasure } from '#store/erased-bytes.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { READ_PORTION, splitRows } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import { listMailFiles, removeMailFiles } from '#store/outbox.ts';
import type { Schema } from '#store/schema.ts';
import type { Store } from '#store/open-store.ts';

/** Parts that could not be removed yet: another program reads the database, or a file of the outbox cannot be deleted. */
export type Leftover = 'journal' | 'outbox';

/**
 * Erases a person everywhere; only keyed hashes of address and mailbox stay, by which they are known again.
 * Called again for somebody erased before, it tries again to remove the copies that remained.
 * @param options.outbox the folder of mails that are files
 * @param options.now milliseconds since 1970
 * @returns whether anybody was found, and the copies of those erased that remain
 */
export async function erase(
  store: Store,
  address: string,
  options: { secret: string; outbox: string; now: number },
): Promise<{ isFound: boolean; remaining: Leftover[] }> {
  const { secret, outbox, now } = options;
  const isFound = await store.transaction(async (tx) => {
    const subscriber = await lockPeople(store, tx)
      .where('normalised_address', '=', normaliseForSearch(address))
      .executeTakeFirst();
    if (subscriber === undefined) return false;
    await removePeople(tx, [subscriber.id], now);
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        event: 'erased',
        source: 'command',
        at: toIso(now),
        address_hash: hashErasedAddress(subscriber.normalised_address, secret),
        mailbox_hash: hashMailbox(subscriber.normalised_address, secret),
      })
      .execute();
    return true;
  });
  return { isFound, remaining: await removeTraces(store, outbox) };
}

/** When an address was last erased, as an ISO time, or undefined. */
export async function findErasure(db: Kysely<Schema>, address: string, secret: string): Promise<string | undefined> {
  const record = await db
    .selectFrom('consent_records')
    .select('at')
    .where('address_hash', '=', hashErasedAddress(normaliseForSearch(address), secret))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return record?.at;
}

/**
 * People, locked until the commit: a delivery that is queued for them at the same time is either seen here, or comes
 * later and finds nobody. SQLite has one writer at a time.
 */
export function lockPeople(store: Store, tx: Transaction<Schema>) {
  const people = tx.selectFrom('subscribers').selectAll();
  return store.kind === 'postgres' ? people.forUpdate() : people;
}

/** Removes the rows of people who are locked, and has their rows in the sheet removed. */
export async function removePeople(tx: Transaction<Schema>, ids: string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const deliveries = await tx
    .deleteFrom('deliveries')
    .where('subscriber_id', 'in', ids)
    .returning(['id', 'subscriber_id', 'kind', 'state'])
    .execute();
  for (const table of ['consent_records', 'bounces'] as const) {
    await tx.deleteFrom(table).where('subscriber_id', 'in', ids).execute();
  }
  await tx
    .deleteFrom('update_readers')
    .where('update_id', 'in', (select) => select.selectFrom('updates').select('updates.id'))
    .where('subscriber_id', 'in', ids)
    .execute();
  await tx.deleteFrom('subscribers').where('id', 'in', ids).execute();
  await markErasure(tx, now);
  // The answer to a row that counts as unsent may have been lost: it may be in the sheet all the same.
  const rows = deliveries.filter(({ kind }) => kind === 'sheet-row');
  const erasures = [...Map.groupBy(rows, (row) => row.subscriber_id).values()].map((own) => {
    const mayBeOnItsWay = own.some((row) => row.state !== 'sent');
    const details = { rows: own.map((row) => row.id) };
    return createDelivery('sheet-erasure', null, details, now, mayBeOnItsWay ? SHEET_DELAY_MS : 0);
  });
  if (erasures.length > 0) await tx.insertInto('deliveries').values(erasures).execute();
}

/** Longer than a spreadsheet script may run (6 minutes for Apps Script): a row must not arrive after its erasure. */
export const SHEET_DELAY_MS = 10 * 60_000;

/**
 * Removes the copies outside the tables: mail files without a delivery, and SQLite's journal.
 * @returns what could not be removed yet
 */
export async function removeTraces(store: Store, outbox: string): Promise<Leftover[]> {
  const remaining: Leftover[] = [];
  try {
    // Also a mail, or the draft of one, that was written after its delivery was deleted.
    for (const some of splitRows(await listMailFiles(outbox), READ_PORTION)) {
      await removeMailFiles(outbox, await findOrphans(store.db, some));
      await yieldToOthers();
    }
  } catch {
    remaining.push('outbox');
  }
  if (!(await emptyJournal(store))) remaining.push('journal');
  return remaining;
}

/** @returns those of the ids that no delivery has */
async function findOrphans(db: Kysely<Schema>, deliveryIds: string[]): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', deliveryIds).execute();
  const known = new Set(rows.map(({ id }) => id));
  return deliveryIds.filter((id) => !known.has(id));
}

/**
 * Deleted rows are overwritten with zeros, but SQLite's journal still holds them until it is emptied.
 * @returns false when another program went on reading it
 */
async function emptyJournal(store: Store): Promise<boolean> {
  if (store.kind !== 'sqlite') return true;
  const { rows: waits } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(store.db);
  // Nobody can write while it is emptied: most of it is copied before, and a reader is waited for by asking again.
  await sql`pragma wal_checkpoint(passive)`.execute(store.db);
  await sql`pragma busy_timeout = ${sql.lit(JOURNAL_BLOCKING_MS)}`.execute(store.db);
  try {
    const start = performance.now();
    for (let tries = 0; tries < JOURNAL_TRIES || performance.now() - start < JOURNAL_WAIT_MS; tries += 1) {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.db);
      if (rows[0]?.busy === 0) return true;
      await pause(50);
    }
    return false;
  } finally {
    await sql`pragma busy_timeout = ${sql.lit(waits[0]?.timeout ?? 0)}`.execute(store.db);
  }
}

/** A server under load leaves few gaps in which the journal can be emptied. */
const JOURNAL_WAIT_MS = 8000;
const JOURNAL_TRIES = 5;

/** How long others may have to wait for one attempt. */
const JOURNAL_BLOCKING_MS = 20;
