import { askToConfirm, describeReason, planPurge, purge, readLeaving } from '#list/purge.ts';
import { printList } from '../command/long-list.ts';
import { formatTime, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';
import { toOutboxPath } from '#store/outbox.ts';
import { FILES_REMAIN } from './people.ts';

export async function purgeNow(
  opened: Opened,
  { dryRun, confirm }: { dryRun?: boolean; confirm?: string },
): Promise<void> {
  const now = Date.now();
  if (dryRun) return showLeaving(opened, now);
  const { env, store } = opened;
  const outcome = await purge(store, { outbox: toOutboxPath(env), now, confirmed: confirm });
  if (outcome.doubt !== undefined) {
    throw new Error(`${outcome.erased} erased. ${askToConfirm(outcome.doubt, outcome.leaving)}`);
  }
  write(`${outcome.erased} erased.\n`);
  if (outcome.filesRemain) throw new Error(FILES_REMAIN);
}

async function showLeaving({ store }: Opened, now: number): Promise<void> {
  await printList(readLeaving(store, now), {
    json: false,
    headings: ['Address', 'Last engagement', 'Reason'],
    toCells: (person) => [person.address, formatTime(person.engaged_at), describeReason(person)],
    empty: '',
  });
  const { leaving, doubt } = await planPurge(store, now);
  write(`${leaving} would be erased.${doubt ? ` ${askToConfirm(doubt, leaving)}` : ''}\n`);
}
