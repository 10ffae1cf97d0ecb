import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashContent } from '#content/content-files.ts';
import { type BuiltSite, readBuiltSite } from '#build/built-site.ts';

/** The content of the file `live`: the published site that visitors see instead of the build's. */
export type Live = {
  /** Its folder in DATA_DIR/sites, named for the time at which it was made. */
  site: string;
  /** The code and the settings that it was made with (`nameCode`). */
  code: string;
  /** The content of the build at that time: a build with other content is newer. */
  over: string;
};

/** The folders in which a program finds the site. @property content absolute path of content/, if the machine has it */
export type SitePlaces = { build: string; dataDir: string; content: string | undefined };

/** `name` is `build` or that of a published site. `isOutdated`: code or settings changed, so it must be made again. */
export type ShownSite = { name: string; folder: string; isOutdated: boolean };

/** Names the folder of a new site; the names sort by time. */
export function nameSite(now = new Date()): string {
  return now.toISOString().replaceAll(':', '-');
}

export function findSites(dataDir: string): string {
  return join(dataDir, 'sites');
}

/** The header of /healthz that identifies the shown content, for the desk (src/content/content-files.ts). */
export const WORDS_HEADER = 'X-Site-Words';

/** @returns undefined if nothing was published here */
export function readLive(dataDir: string): Live | undefined {
  const file = join(findSites(dataDir), 'live');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Live) : undefined;
}

/** Identifies the code and the settings that a site is made with. */
export function nameCode({ code, settings }: Pick<BuiltSite, 'code' | 'settings'>): string {
  return hash('sha256', JSON.stringify([code, settings]), 'base64url').slice(0, 16);
}

/** Whether a publish was interrupted after the site went live and before content/ was changed. */
export function isUnfinished(site: string): boolean {
  return existsSync(join(site, 'before'));
}

/**
 * Finds the site that visitors see: the published one, unless a later build was made from the current content/.
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
  const isOfContent = content !== undefined && existsSync(content) && hashContent(content) === built.words;
  if (isOfContent && !isUnfinished(folder)) return ofBuild;
  return { name: live.site, folder, isOutdated: live.code !== nameCode(built) };
}
