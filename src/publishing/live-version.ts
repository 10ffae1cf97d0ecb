import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBuiltSite } from '#build/built-site.ts';
import { listContentPaths } from '#content/content-files.ts';
import type { Misfit } from '#content/apply-overlay.ts';
import type { Overlay } from '#content/overlay.ts';
import { readMetadata, writeMetadata } from '#newsletter/database/metadata.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { queueAlert } from '#newsletter/deliveries/queue/new-delivery.ts';
import { readPicture } from '#newsletter/updates/stored-pictures.ts';
import { explainError } from '#shared/explain-codes.ts';
import { addVersion, NewerVersionError, readNewestNumber, readVersion } from './content-versions.ts';
import { type MadeSite, obtainSite, removeOldSites, type SitePlaces } from './obtain-site.ts';

/** The name of the channel on which a publish is announced within a process. */
export const PUBLISHED = 'published';

/** A site with the number of its version; 0 if it isn't the newest version's site. */
export type LiveSite = MadeSite & { number: number };

/**
 * Finds the site of the newest version when a server starts. If it can't be built, the build's own site is shown, the
 * owner gets an alert, and the server keeps trying.
 */
export async function findFirstSite(places: SitePlaces, store: Store, log: (line: string) => void): Promise<LiveSite> {
  try {
    const site = await obtainNewest(places, store, undefined);
    return { ...site, number: await recordDeploy(places, store, site) };
  } catch (error) {
    const reason = explainError(error);
    log(`The published content can't be shown, so the build's content is shown instead (${reason}).`);
    await alertUnshown(store, reason).catch(() => undefined);
    return findBuildSite(places);
  }
}

/** Describes the build's own site, which is shown for as long as the newest version can't be. */
export function findBuildSite({ build }: SitePlaces): LiveSite {
  return { name: 'build', folder: build, misfits: [], number: 0 };
}

/** Tells the owner, once for each version, that visitors see the default text. */
async function alertUnshown(store: Store, reason: string): Promise<void> {
  const number = String(await readNewestNumber(store.db));
  if ((await readMetadata(store.db, UNSHOWN)) === number) return;
  await store.transaction(async (tx) => {
    await writeMetadata(tx, UNSHOWN, number);
    await queueAlert(tx, { subject: 'Visitors don’t see your text', text: describeUnshown(reason) }, Date.now());
  });
}

const UNSHOWN = 'unshown-version';

function describeUnshown(reason: string): string {
  return `Your server couldn't show what you have published: ${reason}.

Until it can, visitors see the text that the software came with. Yours is kept, and the server keeps trying.
Tell whoever looks after the server.`;
}

/** Finds the site of the newest version, or makes it. @param before the site that is shown now */
export async function obtainNewest(places: SitePlaces, store: Store, before: MadeSite | undefined): Promise<LiveSite> {
  const number = await readNewestNumber(store.db);
  const overlay = (await readVersion(store.db, number))?.overlay ?? {};
  const site = await obtainSiteFromStore(places, store, { overlay, before });
  removeOldSites(places.dataDir, site);
  return { ...site, number };
}

/** Finds the site of an overlay, or makes it. */
export function obtainSiteFromStore(
  places: SitePlaces,
  { db }: Store,
  making: { overlay: Overlay; before: MadeSite | undefined; onChecked?: (misfits: Misfit[]) => void },
): Promise<MadeSite> {
  return obtainSite(places, { ...making, readPicture: (name) => readPicture(db, name) });
}

/**
 * Adds a version if the build's content differs from the newest version's, because it has gone live with a deploy.
 * @returns the number of the site's version
 */
async function recordDeploy({ build }: SitePlaces, store: Store, site: LiveSite): Promise<number> {
  const git = readBuiltSite(build).contentHash;
  const newest = await readVersion(store.db, site.number);
  if (newest?.git === git) return site.number;
  const changed = newest === undefined ? 'the content that the site came with' : 'the site was updated';
  const { overlay = {} } = newest ?? {};
  const version = { overlay, files: readTextFiles(join(site.folder, 'content')), git, changed, made_by: '' };
  try {
    return await store.transaction((tx) => addVersion(tx, site.number, version));
  } catch (error) {
    // Another server has started at the same time.
    if (error instanceof NewerVersionError) return site.number;
    throw error;
  }
}

/** Reads the text files of a content folder, by path. */
export function readTextFiles(content: string): Record<string, string> {
  const paths = listContentPaths(content).filter((path) => /\.(yaml|md)$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(content, path), 'utf8')]));
}

/** Records which version visitors see, and tells the owner which fields they don't see. */
export async function noteShown(store: Store, { number, misfits }: LiveSite, now: number): Promise<void> {
  const keys = misfits
    .map(({ key }) => key)
    .toSorted()
    .join(' ');
  const before = await readMetadata(store.db, MISFITS);
  if ((await readShownNumber(store)) === number && (before ?? '') === keys) return;
  await store.transaction(async (tx) => {
    await writeMetadata(tx, SHOWN, String(number));
    await writeMetadata(tx, MISFITS, keys);
    if (keys !== '' && keys !== before) await queueAlert(tx, describeMisfits(misfits), now);
  });
}

const SHOWN = 'shown-version';
const MISFITS = 'shown-without';

/** @returns the number of the version that a server showed last; 0 if none has */
export async function readShownNumber(store: Store): Promise<number> {
  return Number((await readMetadata(store.db, SHOWN)) ?? 0);
}

function describeMisfits(misfits: Misfit[]) {
  const lines = misfits.map(({ key, message }) => `- ${key}: ${message}`);
  return {
    subject: 'Some of your text no longer fits the site',
    text: `Your site’s software has changed. It shows its default text in these places, because yours no longer fits:

${lines.join('\n')}

Your text is kept. Open Website on your desk, enter it again, and publish.`,
  };
}
