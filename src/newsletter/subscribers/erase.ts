import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { dropNewAddress } from './drop-new-address.ts';
import { hashMailbox, normaliseForSearch } from './email.ts';
import { markErasure } from '../retention/erased-bytes.ts';
import { createDelivery } from '../deliveries/queue/new-delivery.ts';
import { READ_BATCH, splitIntoBatches } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import { listMailFiles, removeMailFiles } from '../database/outbox.ts';
import { findByLink, lockPeople } from '../database/lock-rows.ts';
import type { Delivery, Erasure, Schema, Subscriber } from '../database/schema.ts';
import type { Store } from '../database/open-store.ts';

/**
 * Erases a person everywhere. Only their id, keyed hashes of their current and former mailboxes, and when and why they
 * were erased remain, to recognise them. If it is called again for an erased person, it retries removing email files.
 * @param options.outbox the folder that emails are written to
 * @param options.now milliseconds since 1970
 * @returns whether anybody was found, and whether email files of erased people remain
 */
export async function erase(
  store: Store,
  email: string,
  options: { secret: string; outbox: string; now: number },
): Promise<{ isFound: boolean; filesRemain: boolean }> {
  const { secret, outbox, now } = options;
  const isFound = await store.transaction(async (tx) => {
    const mailboxHash = hashMailbox(normaliseForSearch(email), secret);
    const wasNewAddress = await dropNewAddress(tx, { mailbox_hash: mailboxHash }, now);
    const subscriber = await findByLink(tx, lockPeople(tx), mailboxHash);
    if (subscriber === undefined) {
      if (wasNewAddress) await rememberErased(tx, [{ id: randomUUIDv7(), mailbox_hash: mailboxHash }], 'asked', now);
      return wasNewAddress;
    }
    await rememberErased(tx, [subscriber], 'asked', now);
    await removePeople(tx, [subscriber], now);
    return true;
  });
  return { isFound, filesRemain: await removeTraces(store, outbox) };
}

/**
 * Keeps hashes of the mailboxes, including former ones, of people who are about to be erased and must not be added
 * again.
 * @param why the reason why they must not be added again
 */
export async function rememberErased(
  tx: Transaction<Schema>,
  people: Pick<Subscriber, 'id' | 'mailbox_hash'>[],
  why: Erasure['why'],
  now: number,
): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const former = await tx
    .selectFrom('former_mailboxes')
    .select('mailbox_hash')
    .where('subscriber_id', 'in', ids)
    .execute();
  const mailboxes = [...people, ...former.map(({ mailbox_hash }) => ({ id: randomUUIDv7(), mailbox_hash }))];
  const erasures = mailboxes.map(({ id, mailbox_hash }) => ({ subscriber_id: id, mailbox_hash, why, at: toIso(now) }));
  await tx.insertInto('erasures').values(erasures).execute();
}

/** Finds when an email address's mailbox was last erased or kept out, and why; undefined if it never was. */
export async function findErasure(
  db: Kysely<Schema>,
  email: string,
  secret: string,
): Promise<Pick<Erasure, 'at' | 'why'> | undefined> {
  return db
    .selectFrom('erasures')
    .select(['at', 'why'])
    .where('mailbox_hash', '=', hashMailbox(normaliseForSearch(email), secret))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Deletes people whose rows are locked, and queues the deletion of their rows in the sheet. */
export async function removePeople(tx: Transaction<Schema>, people: { id: string }[], now: number): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const deliveries = await tx
    .deleteFrom('deliveries')
    .where('subscriber_id', 'in', ids)
    .returning(['id', 'subscriber_id', 'kind', 'state'])
    .execute();
  // Foreign keys delete everything else that belongs to them.
  await tx.deleteFrom('subscribers').where('id', 'in', ids).execute();
  await markErasure(tx, now);
  await eraseSheetRows(
    tx,
    deliveries.filter(({ kind }) => kind === 'sheet-row'),
    now,
  );
}

/** Queues the deletion of rows in the sheet. @param rows the deliveries that wrote them */
export async function eraseSheetRows(
  tx: Transaction<Schema>,
  rows: Pick<Delivery, 'id' | 'subscriber_id' | 'state'>[],
  now: number,
): Promise<void> {
  // An unsent row may be in the sheet if the script's response was lost.
  const erasures = [...Map.groupBy(rows, (row) => row.subscriber_id).values()].map((own) => {
    const mayBeOnItsWay = own.some((row) => row.state !== 'sent');
    const details = { rows: own.map((row) => row.id) };
    return createDelivery('sheet-erasure', null, details, now, mayBeOnItsWay ? SHEET_DELAY_MS : 0);
  });
  if (erasures.length > 0) await tx.insertInto('deliveries').values(erasures).execute();
}

/**
 * Longer than a spreadsheet script may run (6 minutes for Apps Script), since a row must not arrive after its erasure.
 */
export const SHEET_DELAY_MS = 10 * 60_000;

/**
 * Removes the copies outside the tables: email files without a delivery, and SQLite's write-ahead log, which may still
 * hold deleted rows. If another program is using the log, those rows stay until `removeErasedBytes` succeeds.
 * @returns whether some email files couldn't be deleted
 */
export async function removeTraces(store: Store, outbox: string): Promise<boolean> {
  const filesRemain = await removeMails(store, outbox);
  if (store.kind === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
  return filesRemain;
}

async function removeMails(store: Store, outbox: string): Promise<boolean> {
  try {
    // Including emails and drafts that were written after their delivery was deleted.
    for (const some of splitIntoBatches(await listMailFiles(outbox), READ_BATCH)) {
      await removeMailFiles(outbox, await findOrphans(store.db, some));
      await yieldToOthers();
    }
    return false;
  } catch {
    return true;
  }
}

/** @returns the ids that don't belong to any delivery */
async function findOrphans(db: Kysely<Schema>, deliveryIds: string[]): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', deliveryIds).execute();
  const known = new Set(rows.map(({ id }) => id));
  return deliveryIds.filter((id) => !known.has(id));
}

export const FILES_REMAIN =
  'Not yet erased from the outbox: a file cannot be removed. Check who owns the folder; the server tries again every day.';
