import { BroadcastChannel } from 'node:worker_threads';
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { readBuiltSite } from '#build/built-site.ts';
import type { Newsletter } from '#newsletter/open-newsletter.ts';
import { addFooterLinks } from '#pages/render-page.tsx';
import { readNewestNumber } from '#publishing/content-versions.ts';
import { PREVIEW_PATH } from '#publishing/content-previews.ts';
import { type LiveSite, noteShown, obtainNewest, PUBLISHED } from '#publishing/live-version.ts';
import { isStillThere, type SitePlaces } from '#publishing/obtain-site.ts';
import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import { createPreviewSites } from './preview-sites.ts';
import { createReceiverApp, createSiteApp } from './routes.tsx';
import { openSiteFiles } from './site-files.ts';

/** Serves requests from one site, and from the next one as soon as it is live. */
export type SiteSwitch = { fetch: Hono['fetch']; watch: () => () => Promise<void> };

type Options = {
  places: SitePlaces;
  newsletter: Newsletter;
  log: (line: string) => void;
  receiverOf: string | undefined;
};

/** @param first the site to start with */
export async function createSiteSwitch(first: LiveSite, options: Options): Promise<SiteSwitch> {
  const { places, log } = options;
  const { store } = options.newsletter;
  let current = { live: first, app: (await openSite(first.folder, options)).createApp() };
  await noteShown(store, first, Date.now());
  let failed = { number: 0, at: 0 };

  const lookForAnother = async () => {
    const { live } = current;
    let number = 0;
    try {
      number = await readNewestNumber(store.db);
      const isWaiting = number === failed.number && Date.now() - failed.at < TRY_AGAIN_MS;
      if ((number === live.number && isStillThere(live)) || isWaiting) return;
      const next = await obtainNewest(places, store, live);
      current = { live: next, app: next.name === live.name ? current.app : await show(next, options) };
      await noteShown(store, next, Date.now());
      log(number === live.number ? MADE_AGAIN : `Published: visitors see version ${number}.`);
    } catch (error) {
      if (number !== failed.number) {
        log(`Version ${number} can't be shown yet (${describeError(error)}); visitors still see the one before.`);
      }
      failed = { number, at: Date.now() };
    }
  };
  let looking = Promise.resolve();
  const look = () => (looking = looking.then(lookForAnother));
  const fetchPreview = createPreviewSites(options);
  const isBehind = async ({ live }: { live: LiveSite }) =>
    !isStillThere(live) || (await readNewestNumber(store.db)) !== live.number;
  const hold = createHold(() => isBehind(current));
  return {
    fetch: async (request, bindings, context) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith(`${PREVIEW_PATH}/`)) {
        const page = await fetchPreview(request);
        if (page) return page;
      }
      const response = await current.app.fetch(request, bindings, context);
      if (response.status !== 404 || !HASHED_FILE.test(pathname)) return response;
      return (await hold()) ? current.app.fetch(request, bindings, context) : response;
    },
    watch: () => {
      const channel = new BroadcastChannel(PUBLISHED);
      channel.addEventListener('message', () => void look());
      channel.unref();
      const stop = runEvery(LOOK_EVERY_MS, look);
      return async () => {
        channel.close();
        await stop();
      };
    },
  };
}

const LOOK_EVERY_MS = 1000;
const MADE_AGAIN = 'The site in DATA_DIR/sites was missing, and has been rebuilt.';

/** Making a site takes seconds of CPU time. */
const TRY_AGAIN_MS = 30_000;

/** Another server's page may name such a file before this server has made it. */
const HASHED_FILE = /^\/assets\/[\w-]+-[\w-]{8}\.\w+$/;

async function openSite(folder: string, { newsletter, log, receiverOf }: Options) {
  const site = readBuiltSite(folder);
  const files = await openSiteFiles(folder);
  const whole = addFooterLinks(site);
  const options = { newsletter, log, contentHash: site.contentHash };
  const createApp = () =>
    receiverOf === undefined
      ? createSiteApp(whole, files, options)
      : createReceiverApp(receiverOf, whole, files, options);
  return { site, createApp };
}

async function show({ folder }: LiveSite, options: Options): Promise<Hono> {
  const { site, createApp } = await openSite(folder, options);
  const showContent = await options.newsletter.prepareContent(site.content);
  // Pages and emails change together, between two requests.
  showContent();
  return createApp();
}

/**
 * Holds requests while a newer version isn't shown yet.
 * @param isBehind asks the database; it is called once for all requests that wait
 * @returns whether to look for the file again
 */
function createHold(isBehind: () => Promise<boolean>): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  const ask = () => {
    asked ??= isBehind()
      .catch(() => false)
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  return async () => {
    const until = Date.now() + HOLD_MS;
    if (!(await ask())) return false;
    while (Date.now() < until && (await ask())) await setTimeout(HOLD_LOOK_MS, undefined, { ref: false });
    return true;
  };
}

const HOLD_MS = 20_000;
const HOLD_LOOK_MS = 100;
