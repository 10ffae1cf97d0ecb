import { askFor, planPurge, purge } from '#list/purge.ts';
import { type Answer, forPeople, print, write } from '../command/print.ts';
import { progressBar } from '../command/progress-bar.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

export async function purgeNow(
  { store, secret, mailFiles }: Opened,
  { dryRun, confirm, json }: Answer & { dryRun?: boolean; confirm?: number },
): Promise<void> {
  const now = Date.now();
  const { leaving, doubt } = await planPurge(store, secret, now);
  const people = leaving.map(({ subscriber, reason }) => ({ address: subscriber.address, reason }));
  if (dryRun) {
    if (json) return print(people);
    write(
      table(
        ['Address', 'Last engagement', 'Reason'],
        leaving.map(({ subscriber, reason }) => [subscriber.address, forPeople(subscriber.engaged_at), reason]),
      ),
    );
    return write(`${leaving.length} would be erased.${doubt ? ` ${askFor(doubt, leaving.length)}` : ''}\n`);
  }
  const bar = progressBar('Purging', process.stderr);
  const outcome = await purge(store, { secret, mailFiles, now, confirmed: confirm, onProgress: bar.show });
  bar.end();
  if (outcome.doubt !== undefined) {
    const asked = askFor(outcome.doubt, leaving.length - outcome.gone.length);
    throw new Error(`${outcome.gone.length} erased. ${asked}`);
  }
  if (json) return print(outcome.gone.map(({ subscriber, reason }) => ({ address: subscriber.address, reason })));
  write(`${outcome.gone.length} erased.\n`);
}
