import { countByState } from '../subscriptions/read-subscribers.ts';
import { planPurge } from '../subscriptions/purge.ts';
import { countUnsent } from '../deliveries/count-unsent.ts';
import { type Answer, forPeople, print, write } from './print.ts';
import { askFor } from './purge-command.ts';
import { table } from './table.ts';
import type { Opened } from './with-store.ts';

/** How many people there are, what has not gone out, and whether retention asks for something. */
export async function status({ store, secret }: Opened, { json }: Answer): Promise<void> {
  const people = await countByState(store.db);
  const unsent = await countUnsent(store);
  const { leaving, lastPurgedAt, doubt } = await planPurge(store, secret, Date.now());
  const retention = { lastPurgedAt: lastPurgedAt ?? null, leaving: leaving.length, doubt: doubt ?? null };
  if (json) return print({ place: store.place, people, deliveries: unsent, retention });
  write(
    table(
      ['Place', store.place],
      [
        ...Object.entries(people).map(([state, count]) => [`People ${state}`, String(count)]),
        ['Deliveries waiting', String(unsent.waiting)],
        ['Deliveries failed', String(unsent.failed)],
        ['Last purge', lastPurgedAt === undefined ? 'not yet' : forPeople(lastPurgedAt)],
        ['Due to be erased', String(leaving.length)],
      ],
    ),
  );
  if (unsent.failed > 0) write('\nSee why deliveries failed: subscribers deliveries --failed\n');
  if (doubt !== undefined) write(`\nRetention holds back. ${askFor(doubt, leaving.length)}\n`);
}
