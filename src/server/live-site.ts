import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashWords } from '#content/word-files.ts';
import { type BuiltSite, readBuiltSite } from './built-site.ts';

/** What the file `live` says: which site visitors see in place of the build's. */
export type Live = {
  /** Its folder in DATA_DIR/sites, named after the time at which it was made. */
  site: string;
  /** The code and the settings that it was made with, as `nameCode` gives it. */
  code: string;
  /** The words of the build at that time: a build with others is newer. */
  over: string;
};

/** Where a program finds the site. @property content absolute path of content/, on a machine that has it */
export type SitePlaces = { build: string; dataDir: string; content: string | undefined };

/** `name` is `build`, or the name of a published site. `isOutdated`: other code or settings are to make it again. */
export type ShownSite = { name: string; folder: string; isOutdated: boolean };

/** Names the folder of a site that is made now; later ones come last in order. */
export function nameSite(now = new Date()): string {
  return now.toISOString().replaceAll(':', '-');
}

export function findSites(dataDir: string): string {
  return join(dataDir, 'sites');
}

/** The header in which /healthz names the words that the site shows, for the desk (src/content/word-files.ts). */
export const WORDS_HEADER = 'X-Site-Words';

/** @returns undefined if nothing has been published here */
export function readLive(dataDir: string): Live | undefined {
  const file = join(findSites(dataDir), 'live');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Live) : undefined;
}

/** Names the code and the settings that a site is made with. */
export function nameCode({ code, settings }: Pick<BuiltSite, 'code' | 'settings'>): string {
  return hash('sha256', JSON.stringify([code, settings]), 'base64url').slice(0, 16);
}

/** Whether the files of content/ wait for what is live already: the publish was cut off between the two. */
export function isUnfinished(site: string): boolean {
  return existsSync(join(site, 'before'));
}

/**
 * Finds the site that visitors see: the published one, unless the build was made later of what content/ has now.
 * @throws if there is no build
 */
export function findShownSite({ build, dataDir, content }: SitePlaces): ShownSite {
  const ofBuild = { name: 'build', folder: build, isOutdated: false };
  const live = readLive(dataDir);
  if (live === undefined) return ofBuild;
  const folder = join(findSites(dataDir), live.site);
  if (!existsSync(join(folder, 'content.json'))) return ofBuild;
  const built = readBuiltSite(build);
  if (live.over !== built.words) return ofBuild;
  const isOfContent = content !== undefined && existsSync(content) && hashWords(content) === built.words;
  if (isOfContent && !isUnfinished(folder)) return ofBuild;
  return { name: live.site, folder, isOutdated: live.code !== nameCode(built) };
}
