/** Queues an update for everybody, and is killed after the given number of transactions; queueing.test.ts starts it. */
import { openStore } from '#store/open-store.ts';
import { queueForAll } from './queue-for-all.ts';

const [, , dataDir = '', databaseUrl, transactions] = process.argv;
const store = await openStore({ dataDir, databaseUrl: databaseUrl || undefined });
let done = 0;
await queueForAll({
  ...store,
  transaction: async (work) => {
    const result = await store.transaction(work);
    done += 1;
    if (done === Number(transactions)) process.kill(process.pid, 'SIGKILL');
    return result;
  },
});
