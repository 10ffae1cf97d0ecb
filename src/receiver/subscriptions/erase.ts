import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { erasedAddressHash } from '../address-hashes.ts';
import { normaliseAddress } from '../address.ts';
import { DELIVERY_KINDS } from '../deliveries/kinds.ts';
import { newDelivery } from '../deliveries/queue.ts';
import { iso } from '../iso-time.ts';
import type { Schema, Subscriber } from '../store/schema.ts';
import type { Store } from '../store/open-store.ts';

/** Mails that lie as files in the outbox; what is forgotten there must go too. */
export type MailFiles = { remove: (deliveryIds: string[]) => Promise<void> };

/**
 * Erases a person everywhere; only a keyed hash of the address stays, by which `purge` knows them again.
 * @param options.now milliseconds since 1970
 * @returns whether anybody was found
 */
export async function erase(
  store: Store,
  address: string,
  options: { secret: string; mailFiles: MailFiles; now: number },
): Promise<boolean> {
  const normalised = normaliseAddress(address);
  if (normalised === undefined) return false;
  const forgotten = await store.transaction(async (tx) => {
    const subscriber = await tx
      .selectFrom('subscribers')
      .selectAll()
      .where('normalised_address', '=', normalised)
      .executeTakeFirst();
    if (subscriber === undefined) return undefined;
    const deliveryIds = await removePerson(tx, subscriber.id, options.now);
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        subscriber_id: null,
        event: 'erased',
        wording_version: null,
        form: null,
        source: 'command',
        at: iso(options.now),
        address_hash: erasedAddressHash(normalised, options.secret),
      })
      .execute();
    return deliveryIds;
  });
  if (forgotten === undefined) return false;
  await options.mailFiles.remove(forgotten);
  await emptyJournal(store);
  return true;
}

/** When an address was last erased, as an ISO time, or undefined. */
export async function findErasure(db: Kysely<Schema>, address: string, secret: string): Promise<string | undefined> {
  const normalised = normaliseAddress(address);
  if (normalised === undefined) return undefined;
  const record = await db
    .selectFrom('consent_records')
    .select('at')
    .where('address_hash', '=', erasedAddressHash(normalised, secret))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return record?.at;
}

export type PurgeReason =
  | 'two years without engagement'
  | 'not confirmed within 30 days'
  | 'erased before, brought back by an import';

/**
 * Forgets who must not be kept any longer. Runs daily by itself.
 * @param options.dryRun only tells who would go
 * @param options.onProgress called with how many of how many have gone
 * @returns who went, and why
 */
export async function purge(
  store: Store,
  options: {
    secret: string;
    mailFiles: MailFiles;
    now: number;
    dryRun?: boolean;
    onProgress?: (done: number, total: number) => void;
  },
): Promise<{ subscriber: Subscriber; reason: PurgeReason }[]> {
  const leaving = await findLeaving(store.db, options.secret, options.now);
  if (options.dryRun) return leaving;
  for (const [index, { subscriber }] of leaving.entries()) {
    const deliveryIds = await store.transaction((tx) => removePerson(tx, subscriber.id, options.now));
    await options.mailFiles.remove(deliveryIds);
    options.onProgress?.(index + 1, leaving.length);
  }
  if (leaving.length > 0) await emptyJournal(store);
  return leaving;
}

/** The privacy policy: two years from the last engagement, calendar years. */
const KEEP_YEARS = 2;
const CONFIRM_WITHIN_MS = 30 * 24 * 3600_000;

async function findLeaving(db: Kysely<Schema>, secret: string, now: number) {
  const engagedBefore = new Date(now);
  engagedBefore.setUTCFullYear(engagedBefore.getUTCFullYear() - KEEP_YEARS);
  const people = () => db.selectFrom('subscribers').selectAll().orderBy('engaged_at');
  const stale = await people().where('engaged_at', '<', engagedBefore.toISOString()).execute();
  const unconfirmed = await people()
    .where('state', '=', 'pending')
    .where('engaged_at', '<', iso(now - CONFIRM_WITHIN_MS))
    .execute();
  const broughtBack = await findBroughtBack(db, secret);

  const leaving = new Map<string, { subscriber: Subscriber; reason: PurgeReason }>();
  for (const subscriber of stale) leaving.set(subscriber.id, { subscriber, reason: 'two years without engagement' });
  for (const subscriber of unconfirmed)
    leaving.set(subscriber.id, { subscriber, reason: 'not confirmed within 30 days' });
  for (const subscriber of broughtBack) {
    leaving.set(subscriber.id, { subscriber, reason: 'erased before, brought back by an import' });
  }
  return [...leaving.values()];
}

/** Erased people who are back without having signed up again since. */
async function findBroughtBack(db: Kysely<Schema>, secret: string): Promise<Subscriber[]> {
  const erasures = await db
    .selectFrom('consent_records')
    .select((select) => ['address_hash', select.fn.max('at').as('at')])
    .where('address_hash', 'is not', null)
    .groupBy('address_hash')
    .execute();
  if (erasures.length === 0) return [];
  const erasedAt = new Map(erasures.map((row) => [row.address_hash, row.at]));
  const people = await db
    .selectFrom('subscribers')
    .leftJoin('consent_records', (join) =>
      join.onRef('consent_records.subscriber_id', '=', 'subscribers.id').on('consent_records.event', '=', 'given'),
    )
    .selectAll('subscribers')
    .select((select) => select.fn.max('consent_records.at').as('consented_at'))
    .groupBy('subscribers.id')
    .execute();
  return people.flatMap(({ consented_at, ...subscriber }) => {
    const at = erasedAt.get(erasedAddressHash(subscriber.normalised_address, secret));
    return at !== undefined && (consented_at === null || consented_at < at) ? [subscriber] : [];
  });
}

/** @returns the ids of the deliveries that spoke of the person */
async function removePerson(tx: Transaction<Schema>, subscriberId: string, now: number): Promise<string[]> {
  const deliveries = await tx
    .deleteFrom('deliveries')
    .where('subscriber_id', '=', subscriberId)
    .returning(['id', 'kind', 'attempts', 'claimed_until'])
    .execute();
  await tx.deleteFrom('consent_records').where('subscriber_id', '=', subscriberId).execute();
  await tx.deleteFrom('subscriber_aliases').where('subscriber_id', '=', subscriberId).execute();
  await tx.deleteFrom('subscribers').where('id', '=', subscriberId).execute();
  const rows = deliveries.filter(
    (delivery) => DELIVERY_KINDS[delivery.kind].onErase === 'delete, and erase from the sheet' && wasTried(delivery),
  );
  if (rows.length > 0) {
    // A row that is on its way at this moment must not arrive after its erasure.
    const isOnItsWay = rows.some((row) => row.claimed_until !== null);
    const erasure = newDelivery(
      'sheet-erasure',
      null,
      { rows: rows.map((row) => row.id) },
      now,
      isOnItsWay ? SHEET_SETTLES_MS : 0,
    );
    await tx.insertInto('deliveries').values(erasure).execute();
  }
  return deliveries.map((delivery) => delivery.id);
}

function wasTried(delivery: { attempts: number; claimed_until: string | null }): boolean {
  return delivery.attempts > 0 || delivery.claimed_until !== null;
}

/** Longer than a spreadsheet script may run (6 minutes for Apps Script). */
const SHEET_SETTLES_MS = 10 * 60_000;

/** Deleted rows are overwritten with zeros, but SQLite's journal still holds them until it is emptied. */
async function emptyJournal(store: Store): Promise<void> {
  if (store.kind === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
}
