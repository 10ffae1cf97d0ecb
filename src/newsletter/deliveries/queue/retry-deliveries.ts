import type { Transaction } from 'kysely';
import { hastenWaiting, retryFailed } from './delivery-state.ts';
import { toIso } from '../../database/iso-time.ts';
import { GIVE_UP_AFTER_MS } from './new-delivery.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery, Schema, SentUpdate } from '../../database/schema.ts';
import { lockUpdate, reopenUpdate } from '../../updates/update-state.ts';
import { readRetryableOfUpdate, readUnsent } from './unsent.ts';

/**
 * Retries everything that `listUnsent` lists: the deliveries that are waiting, or that have failed and can be retried,
 * except those of updates.
 * @param now milliseconds since 1970
 * @returns how many are due now
 */
export async function retryUnsent(store: Store, now: number): Promise<number> {
  let retried = 0;
  for await (const rows of readUnsent(store)) retried += await store.transaction((tx) => retry(tx, rows, now));
  return retried;
}

/** How many emails of an update are due again, and the update's state now. While it is paused, its emails wait. */
export type RetriedUpdate = { retried: number; file: string; state: SentUpdate['state']; isReopened: boolean };

/**
 * Retries an update's failed emails that may succeed now, and reopens the update if it had been sent.
 * @param now milliseconds since 1970
 * @returns undefined if no update has this id
 */
export async function retryUpdate(store: Store, updateId: string, now: number): Promise<RetriedUpdate | undefined> {
  const update = await store.db.selectFrom('updates').selectAll().where('id', '=', updateId).executeTakeFirst();
  if (update === undefined) return undefined;
  let retried = 0;
  for await (const rows of readRetryableOfUpdate(store, updateId)) {
    retried += await store.transaction((tx) => retryOfUpdate(tx, updateId, rows, now));
  }
  const { state } = await store.db
    .selectFrom('updates')
    .select('state')
    .where('id', '=', updateId)
    .executeTakeFirstOrThrow();
  return { retried, file: update.file, state, isReopened: update.state === 'sent' && retried > 0 };
}

/**
 * Retries one delivery that is waiting or has failed, including an email of an update.
 * @param now milliseconds since 1970
 * @returns undefined if no waiting or failed delivery has this id
 */
export async function retryDelivery(
  store: Store,
  id: string,
  now: number,
): Promise<{ retried: number; file?: string; state?: SentUpdate['state'] } | undefined> {
  return store.transaction(async (tx) => {
    const delivery = await tx
      .selectFrom('deliveries')
      .selectAll()
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'failed'])
      .executeTakeFirst();
    if (delivery === undefined) return undefined;
    if (delivery.update_id === null) return { retried: await retry(tx, [delivery], now) };
    const retried = await retryOfUpdate(tx, delivery.update_id, [delivery], now);
    const update = await lockUpdate(tx, delivery.update_id);
    return { retried, ...(update && { file: update.file, state: update.state }) };
  });
}

/** The states of an update whose failed emails can be retried. */
const RETRYABLE = new Set<SentUpdate['state']>(['sending', 'paused', 'sent']);

/** @returns how many are due; 0 unless the update has been sent, is being sent or is paused */
async function retryOfUpdate(
  tx: Transaction<Schema>,
  updateId: string,
  rows: Delivery[],
  now: number,
): Promise<number> {
  const update = await lockUpdate(tx, updateId);
  if (update === undefined || !RETRYABLE.has(update.state)) return 0;
  const retried = await retry(tx, rows, now);
  if (update.state === 'sent' && retried > 0) await reopenUpdate(tx, updateId, now);
  return retried;
}

/** Retries deliveries, except those that are being sent. The caps still apply. */
async function retry(tx: Transaction<Schema>, rows: Delivery[], now: number): Promise<number> {
  const giveUpAt = toIso(now + GIVE_UP_AFTER_MS);
  const idsOf = (state: Delivery['state']) => rows.filter((row) => row.state === state).map(({ id }) => id);
  const hastened = await hastenWaiting(tx, idsOf('waiting'), giveUpAt, now);
  return hastened + (await retryFailed(tx, idsOf('failed'), giveUpAt, now));
}
