import { join } from 'node:path';
import type { Context } from 'hono';
import { readBuiltSite, toPagePath } from '#build/built-site.ts';
import { readDraft } from '#publishing/content-drafts.ts';
import { readNewestNumber, readVersion } from '#publishing/content-versions.ts';
import { obtainNewest } from '#publishing/live-version.ts';
import { findPublicFolder, isStillThere } from '#publishing/obtain-site.ts';
import { toSitePlaces } from '#server/find-places.ts';
import { CONTENT_HASH_HEADER } from '#server/newsletter-routes.tsx';
import type { WebsiteDesk } from '../desk-types.ts';
import type { Site } from './draft.ts';

/** Reads the draft and the live content. */
export type OpenSite = (context: Context) => Promise<Site>;

/** @returns a function that each page and each form calls first */
export function createOpenSite(desk: WebsiteDesk): OpenSite {
  return async (context) => {
    const { store, places } = desk;
    if ((await readNewestNumber(store.db)) !== desk.shown.number || !isStillThere(desk.shown)) {
      desk.shown = await obtainNewest(toSitePlaces(desk), store, desk.shown);
      desk.content = readBuiltSite(desk.shown.folder).content;
    }
    const { folder, number } = desk.shown;
    const overlay = (await readVersion(store.db, number))?.overlay ?? {};
    const files = Object.keys(overlay).length === 0 ? await findStaticHostContent(desk) : undefined;
    return {
      content: files ?? join(folder, 'content'),
      git: files ?? join(places.build, 'content'),
      overlay,
      number,
      draft: await readDraft(store.db),
      store,
      by: context.get('session')?.email ?? '',
      links: () => ({
        pages: readBuiltSite(folder).documents.map(toPagePath),
        publicFolder: findPublicFolder(places.build),
      }),
    };
  };
}

/** @returns the content/ folder that text is saved to, if a static host serves the site */
export async function findStaticHostContent({
  env,
  origin,
  places,
  publishing,
}: Pick<WebsiteDesk, 'env' | 'origin' | 'places' | 'publishing'>): Promise<string | undefined> {
  if (places.content === undefined || env.NEWSLETTER_ENDPOINT === undefined || env.SITE_URL === undefined)
    return undefined;
  // The desk was opened at the site's own URL, which this server may be unable to reach itself.
  if (origin === env.SITE_URL) return undefined;
  if (publishing.asked === undefined || Date.now() - publishing.asked.at > ASK_EACH_MS) {
    publishing.asked = { at: Date.now(), isStatic: !(await runsThisSoftware(env.SITE_URL)) };
  }
  return publishing.asked.isStatic ? places.content : undefined;
}

const ASK_EACH_MS = 60_000;

/** Whether a server of this software responds at a URL. */
export async function runsThisSoftware(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(3000);
  const response = await fetch(`${url}/healthz`, { signal, cache: 'no-store' }).catch(() => undefined);
  return response?.headers.has(CONTENT_HASH_HEADER) ?? false;
}
