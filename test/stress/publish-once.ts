/**
 * Publishes one headline as the desk does, in a process that a test kills.
 * Arguments: the build, the headline, DATA_DIR, and DATABASE_URL for PostgreSQL.
 */
import { join } from 'node:path';
import { readFields } from '#desk/website/draft.ts';
import { beginPublish } from '#desk/website/publish.ts';
import { openStore, type Store } from '#newsletter/database/open-store.ts';
import { changeDraft, readDraft } from '#publishing/content-drafts.ts';
import { readVersion } from '#publishing/content-versions.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import type { WebsiteDesk } from '#desk/desk-types.ts';

const [build = '', headline = '', dataDir = '', databaseUrl] = process.argv.slice(2);
const opened = await openStore({ databaseUrl, dataDir });
let hasBegun = false;
const store: Store = {
  ...opened,
  transaction: (work) => {
    if (hasBegun) process.send?.('committing');
    return opened.transaction(work);
  },
};
const shown = await obtainNewest({ build, dataDir }, store, undefined);
await changeDraft(store, '', () => ({ 'home.hero.headline': { value: headline, base: '' } }));
const overlay = (await readVersion(store.db, shown.number))?.overlay ?? {};
const site = {
  content: join(shown.folder, 'content'),
  git: join(build, 'content'),
  overlay,
  number: shown.number,
  draft: await readDraft(store.db),
  store,
  by: '',
};
const desk = { env: { DATA_DIR: dataDir }, places: { build }, store, shown, publishing: {} } as unknown as WebsiteDesk;
process.send?.('begun');
hasBegun = true;
const fields = readFields(site).filter(({ isChanged }) => isChanged);
await beginPublish(desk, { site, fields, changed: 'the headline' });
if (desk.publishing.last?.state !== 'verifying') throw new Error(desk.publishing.last?.reason);
process.exit();
