import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { readUnsentDeliveries } from '#mail/queue/unsent.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery } from '#store/schema.ts';
import { type Answer, forPeople, print, write } from '../command/print.ts';
import { mapPortions, printList, writeTable } from '../command/print-list.ts';
import { table } from '../command/table.ts';

export async function deliveries(store: Store, { failed = false, json }: Answer & { failed?: boolean }): Promise<void> {
  const unsent = readUnsentDeliveries(store, { onlyFailed: failed });
  if (json) return printList(unsent);
  await writeTable(HEADINGS, mapPortions(unsent, toRow), { empty: 'Nothing waits.\n' });
}

export function deliveryTable(rows: Delivery[]): string {
  return table(HEADINGS, rows.map(toRow));
}

const HEADINGS = ['Id', 'Kind', 'State', 'Attempts', 'Queued', 'Next try', 'Last error'];

function toRow({ id, kind, state, attempts, queued_at, due_at, last_error }: Delivery): string[] {
  return [
    id,
    kind,
    state,
    String(attempts),
    forPeople(queued_at),
    state === 'waiting' ? forPeople(due_at) : '-',
    last_error ?? '-',
  ];
}

export async function retry(store: Store, id: string, { json }: Answer): Promise<void> {
  const result = await retryDeliveries(store, id, Date.now());
  const { retried, reopened, leftOut, paused } = result;
  if (retried === 0 && leftOut.length === 0 && id !== 'all') {
    throw new Error('No delivery with this id failed or waits, and no update with this id has any that failed.');
  }
  if (json) return print(result);
  write(`${retried} will be tried again by the running server within seconds.\n`);
  if (reopened.length > 0) write(`Sent before, and going on: ${reopened.join(', ')}.\n`);
  if (paused.length > 0) write(`Paused, so its mails wait for "npm run updates -- resume": ${paused.join(', ')}.\n`);
  if (leftOut.length > 0) write(`Left out, since it is cancelled or was missed: ${leftOut.join(', ')}.\n`);
}
