import { join } from 'node:path';
import type { Hono } from 'hono';
import { copyWords } from '#content/word-files.ts';
import type { Newsletter } from '#newsletter/open-newsletter.ts';
import { describeError } from '#shared/describe-error.ts';
import { explainError } from '#shared/explain-codes.ts';
import { runEvery } from '#shared/run-every.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { addFooterLinks } from '#pages/render-page.tsx';
import { finishPublish } from './finish-publish.ts';
import { findShownSite, findSites, nameSite, readLive, type ShownSite, type SitePlaces } from './live-site.ts';
import { findPublicFolder, goLive, makeSite } from './make-site.ts';
import { createReceiverApp, createSiteApp } from './routes.tsx';
import { openSiteFiles } from './site-files.ts';

type Log = (line: string) => void;

/**
 * Finds the first site: finishes an interrupted publish, and makes a published site of
 * other code or settings again. If that fails, the build's is shown.
 */
export async function findFirstSite(places: SitePlaces, log: Log): Promise<ShownSite> {
  const { build, dataDir, content } = places;
  try {
    finishPublish(dataDir, content);
  } catch (error) {
    log(`content/: the words that are live could not be written (${explainError(error)}); the next start tries again.`);
  }
  const shown = findShownSite(places);
  if (!shown.isOutdated) return shown;
  const name = nameSite();
  const folder = join(findSites(dataDir), name);
  try {
    await copyWords(join(shown.folder, 'content'), join(folder, 'content'));
    await makeSite({ build, publicFolder: findPublicFolder(build, undefined), before: shown.folder, out: folder });
    await goLive(dataDir, build, name);
    return { name, folder, isOutdated: false };
  } catch (error) {
    log(`The published words could not be shown with this code, so the build's are (${explainError(error)}).`);
    return { name: 'build', folder: build, isOutdated: false };
  }
}

/** Answers requests from one site, and from the next as soon as that is live. */
export type SiteSwitch = { fetch: Hono['fetch']; watch: () => () => Promise<void> };

/**
 * @param first the first site
 * @param options.places where the build and the published sites are
 */
export async function createSiteSwitch(
  first: ShownSite,
  options: { places: SitePlaces; newsletter: Newsletter; log: Log; receiverOf: string | undefined },
): Promise<SiteSwitch> {
  const { places, newsletter, log, receiverOf } = options;
  const open = async (folder: string) => {
    const site = readBuiltSite(folder);
    const files = await openSiteFiles(folder, join(places.build, 'site'));
    const whole = addFooterLinks(site);
    const routed = { newsletter, log, words: site.words };
    const createApp = () =>
      receiverOf === undefined
        ? createSiteApp(whole, files, routed)
        : createReceiverApp(receiverOf, whole, files, routed);
    return { site, createApp };
  };
  let current = (await open(first.folder)).createApp();
  let seen = readLive(places.dataDir)?.site;
  let failed: string | undefined;

  const lookForAnother = async () => {
    let name: string | undefined;
    try {
      name = readLive(places.dataDir)?.site;
      if (name === undefined || name === seen) return;
      const { site, createApp } = await open(join(findSites(places.dataDir), name));
      const show = await newsletter.prepareContent(site.content);
      // Pages and mails change between two requests.
      show();
      current = createApp();
      seen = name;
      log(`Published: visitors see the site of ${name}.`);
    } catch (error) {
      if (name !== failed) {
        log(`A published site can't be shown yet (${describeError(error)}); visitors see the one before.`);
      }
      failed = name;
    }
  };
  return {
    fetch: (request, bindings, context) => current.fetch(request, bindings, context),
    watch: () => runEvery(LOOK_EVERY_MS, lookForAnother),
  };
}

const LOOK_EVERY_MS = 1000;
