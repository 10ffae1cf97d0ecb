import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { onTestFinished } from 'vitest';
import { readBuiltSite } from '#build/built-site.ts';
import type { Value } from '#content/edit-yaml.ts';
import type { WebsiteDesk } from '#desk/desk-types.ts';
import { readFields } from '#desk/website/draft.ts';
import { createOpenSite } from '#desk/website/open-site.ts';
import { beginPublish } from '#desk/website/publish.ts';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import { changeDraft } from '#publishing/content-drafts.ts';
import { findFirstSite, type LiveSite } from '#publishing/live-version.ts';
import { createSiteSwitch } from '#server/switch-live-site.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { TEST_SITE } from './built-sites.ts';
import { makeFolder } from './make-folder.ts';

/**
 * A server's site and its desk in the test's process, until the test ends.
 * @param variables of its store
 * @param build the build folder; by default that of the test content
 */
export async function openPublishedSite(variables: Record<string, string>, build = TEST_SITE) {
  const env = parseEnvironment(variables);
  const places = { build, dataDir: env.DATA_DIR };
  const log: string[] = [];
  const logLine = (line: string) => void log.push(line);
  let first: LiveSite;
  const newsletter = await openNewsletter(env, async (store) => {
    first = await findFirstSite(places, store, logLine);
    return readBuiltSite(first.folder).content;
  });
  const site = await createSiteSwitch(first!, { places, newsletter, log: logLine, receiverOf: undefined });
  const stopWatching = site.watch();
  const close = async () => {
    await stopWatching();
    await newsletter.close();
  };
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close());
  onTestFinished(closeOnce);
  const { store } = newsletter;
  const desk = { env, places: { build }, store, shown: first!, publishing: {}, log: logLine } as unknown as WebsiteDesk;
  const open = () => createOpenSite(desk)({ get: () => undefined } as unknown as Context);
  return {
    store,
    log,
    desk,
    open,
    read: async (path: string) => {
      const bindings = { incoming: { headers: {}, url: path, socket: { remoteAddress: '127.0.0.1' } } };
      const response = await site.fetch(new Request(`http://localhost${path}`), bindings);
      return { response, text: await response.text() };
    },
    /** Puts values into the draft, and publishes them. @returns how that ended */
    publish: async (values: Record<string, Value>) => {
      const entries = Object.entries(values).map(([key, value]) => [key, { value, base: '' }] as const);
      await changeDraft(store, '', () => Object.fromEntries(entries));
      const opened = await open();
      const fields = readFields(opened).filter(({ isChanged }) => isChanged);
      await beginPublish(desk, { site: opened, fields, changed: 'a test' });
      return desk.publishing.last!;
    },
    close: closeOnce,
  };
}

/** A later build of TEST_SITE, with other content. @param change gets the folder of the content */
export function makeLaterBuild(change: (content: string) => void): string {
  const build = makeFolder();
  for (const name of ['site', 'server']) symlinkSync(join(TEST_SITE, name), join(build, name));
  const content = join(build, 'content');
  mkdirSync(content);
  cpSync(join(TEST_SITE, 'content'), content, { recursive: true });
  change(content);
  const built = JSON.parse(readFileSync(join(TEST_SITE, 'content.json'), 'utf8'));
  writeFileSync(join(build, 'content.json'), JSON.stringify({ ...built, contentHash: 'another' }));
  return build;
}
