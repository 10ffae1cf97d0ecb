import { askFor, findLeaving, type Leaving, planPurge, purge } from '#list/purge.ts';
import { type Answer, forPeople, print, write } from '../command/print.ts';
import { mapPortions, printList, writeTable } from '../command/print-list.ts';
import { progressBar } from '../command/progress-bar.ts';
import type { Opened } from '../command/with-store.ts';

export async function purgeNow(
  opened: Opened,
  { dryRun, confirm, json }: Answer & { dryRun?: boolean; confirm?: number },
): Promise<void> {
  const now = Date.now();
  if (dryRun) return showLeaving(opened, now, json);
  const { store, secret, mailFiles } = opened;
  const bar = progressBar('Purging', process.stderr);
  const gone: ReturnType<typeof toAnswer>[] = [];
  let done = 0;
  const outcome = await purge(store, {
    secret,
    mailFiles,
    now,
    confirmed: confirm,
    onGone: (some, total) => {
      if (json) gone.push(...some.map(toAnswer));
      done += some.length;
      bar.show(done, total);
    },
  });
  bar.end();
  if (outcome.doubt !== undefined) {
    throw new Error(`${outcome.gone} erased. ${askFor(outcome.doubt, outcome.leaving - outcome.gone)}`);
  }
  if (json) return print(gone);
  write(`${outcome.gone} erased.\n`);
}

async function showLeaving({ store, secret }: Opened, now: number, json = false): Promise<void> {
  const portions = () => findLeaving(store.db, secret, now);
  if (json) return printList(mapPortions(portions(), toAnswer));
  const rows = mapPortions(portions(), ({ subscriber, reason }) => [
    subscriber.address,
    forPeople(subscriber.engaged_at),
    reason,
  ]);
  await writeTable(['Address', 'Last engagement', 'Reason'], rows);
  const { leaving, doubt } = await planPurge(store, secret, now);
  write(`${leaving} would be erased.${doubt ? ` ${askFor(doubt, leaving)}` : ''}\n`);
}

function toAnswer({ subscriber, reason }: Leaving) {
  return { address: subscriber.address, reason };
}
