/** Queues an update for everybody, and is killed after the given number of transactions; queueing.test.ts starts it. */
import { countAudience } from '#mail/updates/audience.ts';
import { queueUpdate } from '#mail/updates/queue-update.ts';
import { openStore } from '#store/open-store.ts';

const [, , dataDir = '', databaseUrl, transactions] = process.argv;
const store = await openStore({ dataDir, databaseUrl: databaseUrl || undefined });
const query = { file: 'update.md', contentHash: 'hash' };
const { total } = await countAudience(store.db, query);
const now = Date.now();
let done = 0;
await queueUpdate(
  {
    ...store,
    transaction: async (work) => {
      const result = await store.transaction(work);
      done += 1;
      if (done === Number(transactions)) process.kill(process.pid, 'SIGKILL');
      return result;
    },
  },
  {
    ...query,
    template: { subject: 'Pay', html: '<p>Pay</p>', text: 'Pay' },
    expected: total,
    sendAt: now,
    caps: { hourlyCap: 1_000_000, dailyCap: undefined },
  },
  now,
);
