import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSitePlaces } from '#server/find-places.ts';
import { copyWords } from '#content/word-files.ts';
import { takeLock } from '#newsletter/database/folder-lock.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { compareWords, discardFiles, finishPublish, prepareFiles } from '#server/finish-publish.ts';
import { findShownSite, findSites, isUnfinished, nameSite, readLive } from '#server/live-site.ts';
import { findPublicFolder, goLive, makeSite } from '#server/make-site.ts';
import { explainError } from '#shared/explain-codes.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { findChangedPage } from './ask-live.ts';
import { MAKING, type Publication, readPublication, writePublication } from './publication.ts';
import { removeOldVersions, type VersionFacts } from './versions.ts';
import { waitUntilLive } from './wait-until-live.ts';

/** @property content absolute path of content/ @property changed what changes, for the list of versions */
type Request = {
  content: string;
  changed: string;
  /** Puts the new words into a copy of content/. */
  write: (copy: string) => void | Promise<void>;
  /** Called when the words are in the files. */
  onWritten?: () => void;
};

/**
 * Starts to publish, which continues after this returns. Nothing that anybody sees changes before the file `live` is renamed
 * into its place (src/server/make-site.ts): the words in content/ follow it, at the next start if need be.
 * @returns a promise that settles when publishing ends
 * @throws if another desk is publishing, or nothing can be written
 */
export function beginPublish(desk: WebsiteDesk, request: Request): { over: Promise<void> } {
  const { DATA_DIR } = desk.env;
  const release = takeLock(findSites(DATA_DIR), LOCK);
  if (release === undefined) throw new Error('Your site is being published already. Wait until that is done.');
  let publication: Publication = { name: nameSite(), at: Date.now(), state: 'checking' };
  const note = (change: Partial<Publication>) => {
    publication = { ...publication, ...change };
    writePublication(DATA_DIR, publication);
  };
  try {
    note({});
  } catch (error) {
    release();
    throw new Error(explainFailure(error), { cause: error });
  }
  const over = publish(desk, request, publication.name, note)
    .then(
      (page) => keepWords(desk, request, publication.name, () => note({ state: 'showing', page })),
      (error: unknown) => note({ state: 'failed', reason: explainFailure(error) }),
    )
    .catch((error: unknown) => note({ state: 'unseen', reason: explainUnwritten(error) }))
    // On a full disk this can't be noted either. The page then finds a publish that isn't running: it was interrupted.
    .catch(() => undefined)
    .finally(release);
  return { over };
}

const LOCK = 'publishing.lock';

/**
 * Recovers from a desk that was killed: finishes its publish if that went live, otherwise undoes it. Called when a desk
 * starts, and before it publishes.
 * @returns whether it went live, and the live address is still to be asked
 */
export function recoverPublish({ env: { DATA_DIR } }: Pick<WebsiteDesk, 'env'>, content: string): boolean {
  const last = readPublication(DATA_DIR);
  if (last === undefined || !(MAKING.includes(last.state) || isCutOff(DATA_DIR))) return false;
  const release = takeLock(findSites(DATA_DIR), LOCK);
  if (release === undefined) return false;
  const isLive = readLive(DATA_DIR)?.site === last.name;
  try {
    finishPublish(DATA_DIR, content);
    if (isLive) writePublication(DATA_DIR, { ...last, state: 'showing' });
    else if (MAKING.includes(last.state)) {
      discard(DATA_DIR, last.name, content);
      writePublication(DATA_DIR, { ...last, state: 'failed', reason: CUT_OFF });
    }
    return isLive;
  } catch (error) {
    const reason = explainUnwritten(error);
    if (isLive && last.reason !== reason) writePublication(DATA_DIR, { ...last, state: 'unseen', reason });
    return false;
  } finally {
    release();
  }
}

const CUT_OFF = 'Nothing was published: it was cut off in the middle. Your words are still here. Publish them again.';

/** Whether live words still have to be written into content/. */
export function isCutOff(dataDir: string): boolean {
  const live = readLive(dataDir);
  return live !== undefined && isUnfinished(join(findSites(dataDir), live.site));
}

type Note = (change: Partial<Publication>) => void;

/** Makes the site and puts it live. @returns the file of a page that changed */
async function publish(desk: WebsiteDesk, request: Request, name: string, note: Note): Promise<string | undefined> {
  const { content } = request;
  const { DATA_DIR } = desk.env;
  const places = toSitePlaces(desk);
  finishPublish(DATA_DIR, content);
  const before = findShownSite(places).folder;
  removeOldSites(DATA_DIR, before);
  const site = join(findSites(DATA_DIR), name);
  try {
    await stage(site, request);
    const publicFolder = findPublicFolder(places.build, desk.places.project);
    await makeSite({
      build: places.build,
      publicFolder,
      before,
      out: site,
      onChecked: () => note({ state: 'making' }),
    });
    const page = findChangedPage(before, site);
    prepareFiles(site, content);
    await goLive(DATA_DIR, places.build, name);
    return page;
  } catch (error) {
    discard(DATA_DIR, name, content);
    throw error;
  }
}

/** Visitors see the words from now on, so content/ gets them. */
async function keepWords(
  desk: WebsiteDesk,
  { content, onWritten }: Request,
  name: string,
  note: () => void,
): Promise<void> {
  const { DATA_DIR } = desk.env;
  const site = join(findSites(DATA_DIR), name);
  desk.shown = { name, folder: site, isOutdated: false };
  desk.content = readBuiltSite(site).content;
  finishPublish(DATA_DIR, content);
  onWritten?.();
  note();
  removeOldVersions(DATA_DIR);
  waitUntilLive(desk, name);
}

/** Makes the two copies of content/, as it is and with the new words. */
async function stage(site: string, { content, write, changed }: Request): Promise<void> {
  const before = join(site, 'before/content');
  const after = join(site, 'content');
  await copyWords(content, before);
  await copyWords(content, after);
  await write(after);
  const facts: VersionFacts = { until: new Date().toISOString(), changed };
  writeFileSync(join(site, 'before/version.json'), JSON.stringify(facts));
  writeFileSync(join(site, 'files.json'), JSON.stringify(compareWords(before, after)));
}

function discard(dataDir: string, name: string, content: string): void {
  const site = join(findSites(dataDir), name);
  discardFiles(site, content);
  rmSync(site, { recursive: true, force: true });
}

/** The server may still show the previous one. */
function removeOldSites(dataDir: string, shown: string): void {
  const sites = findSites(dataDir);
  const names = readdirSync(sites, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  const live = readLive(dataDir)?.site;
  for (const name of names.toSorted().slice(0, -1)) {
    if (name !== live && join(sites, name) !== shown) rmSync(join(sites, name), { recursive: true, force: true });
  }
}

function explainFailure(error: unknown): string {
  const reason = explainError(error);
  return `Nothing was published: ${reason}${/[.?!]$/.test(reason) ? '' : '.'} Your words are still here. Correct that, then publish again.`;
}

function explainUnwritten(error: unknown): string {
  return `Visitors see your words, but they could not be put into your files: ${explainError(error)}. Correct that, then try again.`;
}
