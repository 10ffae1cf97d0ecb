import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { erasedAddressHash } from './address-hashes.ts';
import { addressToFind } from './address.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import { newDelivery } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import type { MailFiles } from '#store/outbox.ts';
import type { Schema } from '#store/schema.ts';
import type { Store } from '#store/open-store.ts';

/** What could not be removed yet: another program reads the database, or a file of the outbox cannot be deleted. */
export type Leftover = 'journal' | 'outbox';

/**
 * Erases a person everywhere; only a keyed hash of the address stays, by which retention knows them again.
 * Called again for somebody erased before, it tries again to remove what was left.
 * @param options.now milliseconds since 1970
 * @returns whether anybody was found, and what is left of those erased
 */
export async function erase(
  store: Store,
  address: string,
  options: { secret: string; mailFiles: MailFiles; now: number },
): Promise<{ isFound: boolean; left: Leftover[] }> {
  const { secret, mailFiles, now } = options;
  const erased = await store.transaction(async (tx) => {
    const subscriber = await lockPerson(store, tx)
      .where('normalised_address', '=', addressToFind(address))
      .executeTakeFirst();
    if (subscriber === undefined) return undefined;
    const deliveryIds = await removePerson(tx, subscriber.id, now);
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        subscriber_id: null,
        event: 'erased',
        wording_version: null,
        form: null,
        evidence: null,
        source: 'command',
        at: iso(now),
        address_hash: erasedAddressHash(subscriber.normalised_address, secret),
      })
      .execute();
    return deliveryIds;
  });
  return { isFound: erased !== undefined, left: await removeTraces(store, mailFiles, erased ?? []) };
}

/** When an address was last erased, as an ISO time, or undefined. */
export async function findErasure(db: Kysely<Schema>, address: string, secret: string): Promise<string | undefined> {
  const record = await db
    .selectFrom('consent_records')
    .select('at')
    .where('address_hash', '=', erasedAddressHash(addressToFind(address), secret))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return record?.at;
}

/**
 * People, locked until the commit: whatever is queued for them at the same time is either seen here, or comes later
 * and finds nobody. SQLite has one writer at a time anyway.
 */
export function lockPerson(store: Store, tx: Transaction<Schema>) {
  const people = tx.selectFrom('subscribers').selectAll();
  return store.kind === 'postgres' ? people.forUpdate() : people;
}

/**
 * Removes a locked person's rows, and tells the sheet to.
 * @returns the ids of the deliveries that spoke of the person
 */
export async function removePerson(tx: Transaction<Schema>, subscriberId: string, now: number): Promise<string[]> {
  const deliveries = await tx
    .deleteFrom('deliveries')
    .where('subscriber_id', '=', subscriberId)
    .returning(['id', 'kind', 'state'])
    .execute();
  await tx.deleteFrom('consent_records').where('subscriber_id', '=', subscriberId).execute();
  await tx.deleteFrom('bounces').where('subscriber_id', '=', subscriberId).execute();
  await tx.deleteFrom('subscribers').where('id', '=', subscriberId).execute();
  // Whether a row that counts as unsent is in the sheet nobody knows: its answer may have been lost.
  const rows = deliveries.filter(
    (delivery) => DELIVERY_KINDS[delivery.kind].onErase === 'delete, and erase from the sheet',
  );
  if (rows.length > 0) {
    const details = { rows: rows.map((row) => row.id) };
    const mayBeOnItsWay = rows.some((row) => row.state !== 'sent');
    const erasure = newDelivery('sheet-erasure', null, details, now, mayBeOnItsWay ? SHEET_SETTLES_MS : 0);
    await tx.insertInto('deliveries').values(erasure).execute();
  }
  return deliveries.map((delivery) => delivery.id);
}

/** Longer than a spreadsheet script may run (6 minutes for Apps Script): a row must not arrive after its erasure. */
export const SHEET_SETTLES_MS = 10 * 60_000;

/**
 * Removes what lies outside the tables: mail files, also of people erased before, and SQLite's journal.
 * @returns what could not be removed yet
 */
export async function removeTraces(store: Store, mailFiles: MailFiles, deliveryIds: string[]): Promise<Leftover[]> {
  const left: Leftover[] = [];
  try {
    await mailFiles.remove(deliveryIds);
    // A mail that was on its way at an erasure, or a draft of one, was written after its delivery was deleted.
    await mailFiles.remove(await findOrphans(store.db, await mailFiles.list()));
  } catch {
    left.push('outbox');
  }
  if (!(await emptyJournal(store))) left.push('journal');
  return left;
}

/** Deliveries are deleted by erasing alone, so a file without its delivery is of somebody erased. */
async function findOrphans(db: Kysely<Schema>, deliveryIds: string[]): Promise<string[]> {
  const orphans: string[] = [];
  for (let start = 0; start < deliveryIds.length; start += BATCH) {
    const batch = deliveryIds.slice(start, start + BATCH);
    const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', batch).execute();
    const known = new Set(rows.map(({ id }) => id));
    orphans.push(...batch.filter((id) => !known.has(id)));
  }
  return orphans;
}

const BATCH = 500;

/**
 * Deleted rows are overwritten with zeros, but SQLite's journal still holds them until it is emptied.
 * @returns false when another program went on reading it
 */
async function emptyJournal(store: Store): Promise<boolean> {
  if (store.kind !== 'sqlite') return true;
  const start = performance.now();
  for (let tries = 0; tries < JOURNAL_TRIES || performance.now() - start < JOURNAL_WAIT_MS; tries += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.db);
    if (rows[0]?.busy === 0) return true;
    await pause(50);
  }
  return false;
}

/** A server under load leaves few gaps in which the journal can be emptied. */
const JOURNAL_WAIT_MS = 8000;
const JOURNAL_TRIES = 5;
