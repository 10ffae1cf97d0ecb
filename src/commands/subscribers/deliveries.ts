import { retryUnsent, retryUpdate } from '#newsletter/deliveries/retry-deliveries.ts';
import { readUnsent } from '#newsletter/deliveries/unsent.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { printList } from '../print-list.ts';
import { type Answer, formatTime, write } from '../print.ts';
import type { Opened } from '../with-store.ts';

export async function deliveries({ store }: Opened, { json }: Answer): Promise<void> {
  await printList(readUnsent(store), { json, toCells: toDeliveryCells, empty: 'Nothing waits.\n' });
}

export function toDeliveryCells({ id, kind, state, attempts, queued_at, due_at, last_error }: Delivery): string[] {
  const next = state === 'waiting' ? `, next try ${formatTime(due_at)}` : '';
  return [id, kind, `${state} after ${attempts} attempts${next}`, `queued ${formatTime(queued_at)}`, last_error ?? ''];
}

/** @param id of an update (its failed mails), or `all` (everything but updates) */
export async function retry({ store }: Opened, id: string): Promise<void> {
  const now = Date.now();
  if (id === 'all') {
    write(`${describeRetried(await retryUnsent(store, now))}\n`);
    return;
  }
  const ofUpdate = await retryUpdate(store, id, now);
  if (ofUpdate === undefined) throw new Error('No update has this id.');
  const { retried, file, state, isReopened } = ofUpdate;
  const lines = [
    describeRetried(retried),
    isReopened && `${file} was sent, and is being sent again to these people.`,
    state === 'paused' && `${file} is paused, so its emails wait for "npm run updates -- resume".`,
    retried === 0 && `${file} is ${state}: nothing of it can be retried.`,
  ];
  write(`${lines.filter(Boolean).join('\n')}\n`);
}

function describeRetried(count: number): string {
  return `${count} will be retried by the running server within seconds.`;
}
