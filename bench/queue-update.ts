/** Queues an update, due tomorrow, for the Founders of a list; list-sizes.ts starts it with the list's variables. */
import { COMMAND_WAITS, openStore } from '../src/store/open-store.ts';
import { countAudience } from '../src/mail/updates/audience.ts';
import { queueUpdate } from '../src/mail/updates/queue-update.ts';

const { DATA_DIR: dataDir = '', DATABASE_URL: databaseUrl } = process.env;
const store = await openStore({ dataDir, databaseUrl, waits: COMMAND_WAITS });
const query = { file: 'bench.md', contentHash: 'bench', roles: ['Founder'] };
const { total: expected } = await countAudience(store.db, query);
const template = { subject: 'Bench', html: '<p>Bench</p>', text: 'Bench' };
const [now, caps] = [Date.now(), { hourlyCap: 1_000_000, dailyCap: undefined }];
await queueUpdate(store, { ...query, template, expected, sendAt: now + 24 * 3600_000, caps }, now);
await store.close();
