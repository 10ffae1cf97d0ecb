import { retryDelivery, retryUnsent, retryUpdate } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { readUnsentDeliveries } from '#newsletter/deliveries/queue/unsent.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { printList } from './print-list.ts';
import { type JsonOption, formatTime, write } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';

export async function listDeliveries(
  { store }: Opened,
  { failed = false, json }: JsonOption & { failed?: boolean },
): Promise<void> {
  const unsent = readUnsentDeliveries(store, failed ? ['failed'] : ['waiting', 'sending', 'failed']);
  await printList(unsent, { json, toCells: toDeliveryCells, empty: 'Nothing is waiting.\n' });
}

/** The delivery's id, with which it can be retried, and its state. */
export function toDeliveryCells({ id, kind, state, attempts, queued_at, due_at, last_error }: Delivery): string[] {
  const next = state === 'waiting' ? `, next attempt ${formatTime(due_at)}` : '';
  return [
    id,
    kind,
    `${state} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${next}`,
    `queued ${formatTime(queued_at)}`,
    last_error ?? '',
  ];
}

/** @param id of a delivery, or of an update (its failed emails), or `all` (everything except updates) */
export async function retry({ store }: Opened, id: string): Promise<void> {
  const now = Date.now();
  if (id === 'all') {
    write(`${describeRetried(await retryUnsent(store, now))}\n`);
    return;
  }
  const ofUpdate = await retryUpdate(store, id, now);
  const one = ofUpdate ?? (await retryDelivery(store, id, now));
  if (one === undefined) throw new Error('There is no waiting or failed delivery with this id, and no update.');
  const { retried, file, state } = one;
  const lines = [
    describeRetried(retried),
    ofUpdate?.isReopened && `${file} had been sent, and is now being sent to these people again.`,
    state === 'paused' && `${file} is paused, so its emails wait for "npm run updates -- resume".`,
    state && retried === 0 && `${file} is ${state}, so none of its emails can be retried.`,
  ];
  write(`${lines.filter(Boolean).join('\n')}\n`);
}

function describeRetried(count: number): string {
  return `${count} will be retried by the running server within seconds.`;
}
