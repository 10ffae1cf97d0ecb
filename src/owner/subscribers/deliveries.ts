import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { readUnsentDeliveries } from '#mail/queue/unsent.ts';
import type { Delivery } from '#store/schema.ts';
import { printList } from '../command/long-list.ts';
import { type Answer, formatTime, write } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

export async function deliveries(
  { store }: Opened,
  { failed = false, json }: Answer & { failed?: boolean },
): Promise<void> {
  const unsent = readUnsentDeliveries(store, failed ? ['failed'] : ['waiting', 'sending', 'failed']);
  await printList(unsent, { json, headings: HEADINGS, toCells, empty: 'Nothing waits.\n' });
}

export function deliveryTable(rows: Delivery[]): string {
  return table(HEADINGS, rows.map(toCells));
}

const HEADINGS = ['Id', 'Kind', 'State', 'Attempts', 'Queued', 'Next try', 'Last error'];

function toCells({ id, kind, state, attempts, queued_at, due_at, last_error }: Delivery): string[] {
  const nextTry = state === 'waiting' ? formatTime(due_at) : '-';
  return [id, kind, state, String(attempts), formatTime(queued_at), nextTry, last_error ?? '-'];
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
