import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { readUnsentDeliveries } from '#mail/queue/unsent.ts';
import type { Delivery } from '#store/schema.ts';
import { printList } from '../command/long-list.ts';
import { type Answer, formatTime, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';

export async function deliveries(
  { store }: Opened,
  { failed = false, json }: Answer & { failed?: boolean },
): Promise<void> {
  const unsent = readUnsentDeliveries(store, failed ? ['failed'] : ['waiting', 'sending', 'failed']);
  await printList(unsent, { json, toCells: toDeliveryCells, empty: 'Nothing waits.\n' });
}

/** The id, by which it is retried, and how it is. */
export function toDeliveryCells({ id, kind, state, attempts, queued_at, due_at, last_error }: Delivery): string[] {
  const next = state === 'waiting' ? `, next try ${formatTime(due_at)}` : '';
  return [id, kind, `${state} after ${attempts} attempts${next}`, `queued ${formatTime(queued_at)}`, last_error ?? ''];
}

export async function retry({ store }: Opened, id: string): Promise<void> {
  const { retried, reopened, leftOut, paused } = await retryDeliveries(store, id, Date.now());
  if (retried === 0 && leftOut.length === 0 && id !== 'all') {
    throw new Error('No delivery with this id failed or waits, and no update with this id has any that failed.');
  }
  const lines = [
    `${retried} will be tried again by the running server within seconds.`,
    reopened.length > 0 && `Sent before, and going on: ${reopened.join(', ')}.`,
    paused.length > 0 && `Paused, so its emails wait for "npm run updates -- resume": ${paused.join(', ')}.`,
    leftOut.length > 0 && `Left out, since it has not begun, is cancelled or was missed: ${leftOut.join(', ')}.`,
  ];
  write(`${lines.filter(Boolean).join('\n')}\n`);
}
