import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readContent } from '#content/parse-content.ts';
import { readDraft } from '#publishing/content-drafts.ts';
import { readNewestNumber } from '#publishing/content-versions.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import { TEST_SITE } from '../built-sites.ts';
import { freshStore, onEachStore, openPlace } from '../newsletter/setup/running-newsletter.ts';

/** How often a publish is killed: half the times while the site is made, the others around the commit. */
const KILLS = 40;

/** Longer than a commit. */
const COMMIT_MS = 100;

/** @property from the step after which it is killed, with a delay in milliseconds */
type Kill = { from: 'begun' | 'committing'; ms: number };

onEachStore('a publish that is killed', (name) => {
  test(
    'has either published nothing or is shown complete after the next start',
    { timeout: KILLS * 60_000 },
    async () => {
      const place = await freshStore(name);
      const store = await openPlace(place);
      const publish = async (headline: string, { from, ms }: Partial<Kill> = {}) => {
        const args = [TEST_SITE, headline, place.DATA_DIR, ...(place.DATABASE_URL ? [place.DATABASE_URL] : [])];
        const child = fork(join(import.meta.dirname, 'publish-once.ts'), args, {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const times = new Map<string, number>();
        child.on('message', (step: string) => {
          times.set(step, performance.now());
          if (step === from) void setTimeout(ms).then(() => child.kill('SIGKILL'));
        });
        await once(child, 'exit');
        return times.get('committing')! - times.get('begun')!;
      };
      const readShown = async () => {
        const { folder } = await obtainNewest({ build: TEST_SITE, dataDir: place.DATA_DIR }, store, undefined);
        return readContent(join(folder, 'content')).home.hero.headline;
      };
      const usual = await publish('Headline');
      const counts = { published: 0, kept: 0 };
      let shown = 'Headline';
      for (let kill = 0; kill < KILLS; kill += 1) {
        const headline = `Headline ${kill}`;
        const before = await readNewestNumber(store.db);
        const share = kill / KILLS;
        const isEarly = kill % 2 === 0;
        await publish(
          headline,
          isEarly ? { from: 'begun', ms: usual * share } : { from: 'committing', ms: COMMIT_MS * share },
        );
        const isPublished = (await readNewestNumber(store.db)) > before;
        if (isPublished) shown = headline;
        counts[isPublished ? 'published' : 'kept'] += 1;
        expect((await readDraft(store.db))['home.hero.headline']?.value).toBe(isPublished ? undefined : headline);
        expect(await readShown()).toBe(shown);
      }
      console.info(`${name}: ${JSON.stringify(counts)}`);
    },
  );
});
