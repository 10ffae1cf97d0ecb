import { describeReason, purge, readExpired } from '#newsletter/subscribers/purge.ts';
import { printList } from '../print-list.ts';
import { formatTime, write } from '../print.ts';
import type { Opened } from '../with-store.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { FILES_REMAIN } from './people.ts';

export async function purgeNow({ env, store }: Opened, { dryRun }: { dryRun?: boolean }): Promise<void> {
  const now = Date.now();
  if (dryRun) {
    await printList(readExpired(store, now), {
      json: false,
      toCells: (person) => [person.email, formatTime(person.engaged_at), describeReason(person)],
      empty: 'Nobody would be erased.\n',
    });
    return;
  }
  const { erased, filesRemain } = await purge(store, { outbox: toOutboxPath(env), now });
  if (erased === undefined) throw new Error(CLOCK);
  write(`${erased} erased.\n`);
  if (filesRemain) throw new Error(FILES_REMAIN);
}

const CLOCK =
  'Nobody was erased, since the last purge was not within 31 days: check the clock of this machine. The server erases again from tomorrow.';
