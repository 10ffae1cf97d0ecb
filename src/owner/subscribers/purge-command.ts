import { askToConfirm, checkConfirmed, describeReason, findLeaving, planPurge, purge } from '#list/purge.ts';
import { formatTime, write } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';
import { collectRows } from '#store/in-portions.ts';
import { toOutboxPath } from '#store/outbox.ts';

export async function purgeNow(
  opened: Opened,
  { dryRun, confirm: confirmed }: { dryRun?: boolean; confirm?: string },
): Promise<void> {
  const now = Date.now();
  if (dryRun) return showLeaving(opened, now);
  const { env, store } = opened;
  const confirm = confirmed === undefined ? undefined : (leaving: number) => checkConfirmed(leaving, confirmed);
  const outcome = await purge(store, { outbox: toOutboxPath(env), now, confirm });
  if (outcome.doubt !== undefined) {
    throw new Error(`${outcome.erased} erased. ${askToConfirm(outcome.doubt, outcome.leaving)}`);
  }
  write(`${outcome.erased} erased.\n`);
}

async function showLeaving({ store }: Opened, now: number): Promise<void> {
  const people = await collectRows(findLeaving(store.db, now));
  const rows = people.map((person) => [person.address, formatTime(person.engaged_at), describeReason(person)]);
  if (rows.length > 0) write(table(['Address', 'Last engagement', 'Reason'], rows));
  const { leaving, doubt } = await planPurge(store, now);
  write(`${leaving} would be erased.${doubt ? ` ${askToConfirm(doubt, leaving)}` : ''}\n`);
}
