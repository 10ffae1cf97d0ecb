import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { toSitePlaces } from '#commands/find-places.ts';
import { readSiteUrl } from '#commands/updates/send-test.ts';
import { setSiteContent } from '#content/site-content.ts';
import { copyWords } from '#content/word-files.ts';
import { takeLock } from '#newsletter/database/folder-lock.ts';
import { readBuiltSite } from '#server/built-site.ts';
import { compareWords, discardFiles, finishPublish, prepareFiles } from '#server/finish-publish.ts';
import { findShownSite, findSites, nameSite, readLive } from '#server/live-site.ts';
import { findPublicFolder, goLive, makeSite } from '#server/make-site.ts';
import { explainError } from '#shared/explain-codes.ts';
import type { Desk } from '../desk-types.ts';
import { chooseSought, isPageShown, readShownName, type Sought } from './ask-live.ts';
import { type Publication, readPublication, RUNNING, writePublication } from './publication.ts';
import { removeOldVersions, type VersionFacts } from './versions.ts';

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
 * Begins to publish; it goes on when this returns. Nothing that anybody sees changes before the file `live` is renamed
 * into its place (src/server/make-site.ts): the words in content/ follow it, at the next start if need be.
 * @returns settles when it is over
 * @throws if another desk is publishing, or nothing can be written
 */
export function beginPublish(desk: Desk, request: Request): { over: Promise<void> } {
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
    .catch((error: unknown) => note({ state: 'failed', reason: explainFailure(error) }))
    // A full disk takes no note either: the page then finds a publish that isn't running, and says that it was cut off.
    .catch(() => undefined)
    .finally(release);
  return { over };
}

const LOCK = 'publishing.lock';

/**
 * Ends what a desk that was killed had begun: finishes it if it went live, and else takes it back. Called when a desk
 * starts and when a page shows the last publish.
 */
export function recoverPublish({ env: { DATA_DIR } }: Pick<Desk, 'env'>, content: string): void {
  const last = readPublication(DATA_DIR);
  if (last === undefined || !(RUNNING.includes(last.state) || isCutOff(DATA_DIR))) return;
  const release = takeLock(findSites(DATA_DIR), LOCK);
  if (release === undefined) return;
  try {
    if (readLive(DATA_DIR)?.site === last.name) {
      finishPublish(DATA_DIR, content);
      if (RUNNING.includes(last.state)) writePublication(DATA_DIR, { ...last, state: 'unseen', reason: NOT_ASKED });
    } else if (RUNNING.includes(last.state)) {
      discard(DATA_DIR, last.name, content);
      writePublication(DATA_DIR, { ...last, state: 'failed', reason: CUT_OFF });
    }
  } finally {
    release();
  }
}

const CUT_OFF = 'Nothing was published: it was cut off in the middle. Your words are still here. Publish them again.';
const NOT_ASKED = 'It was published, but the desk ended before it saw your site show it.';

function isCutOff(dataDir: string): boolean {
  const live = readLive(dataDir);
  return live !== undefined && existsSync(join(findSites(dataDir), live.site, 'before'));
}

type Note = (change: Partial<Publication>) => void;

async function publish(desk: Desk, request: Request, name: string, note: Note): Promise<void> {
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
    prepareFiles(site, content);
    await goLive(DATA_DIR, places.build, name);
  } catch (error) {
    discard(DATA_DIR, name, content);
    throw error;
  }
  const sought = chooseSought(name, before, site);
  desk.shown = { name, folder: site, isOutdated: false };
  setSiteContent(readBuiltSite(site).content);
  note({ state: 'showing' });
  try {
    finishPublish(DATA_DIR, content);
    request.onWritten?.();
    removeOldVersions(DATA_DIR);
  } catch (error) {
    const reason = `Visitors see your words, but content/ could not be written (${explainError(error)}). Correct that, then open your desk again: it writes them then.`;
    return note({ state: 'unseen', reason });
  }
  await waitUntilSeen(desk, sought, note);
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

/** A server may still show the one before the last. */
function removeOldSites(dataDir: string, shown: string): void {
  const sites = findSites(dataDir);
  const names = readdirSync(sites, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  const live = readLive(dataDir)?.site;
  for (const name of names.toSorted().slice(0, -1)) {
    if (name !== live && join(sites, name) !== shown) rmSync(join(sites, name), { recursive: true, force: true });
  }
}

/** Whether a host for files shows the site: then the words go live by Git, or by another upload. */
export async function isOnStaticHost({ env }: Pick<Desk, 'env'>): Promise<boolean> {
  if (env.NEWSLETTER_ENDPOINT === undefined || env.SITE_URL === undefined) return false;
  return (await readShownName(env.SITE_URL)) === undefined;
}

async function waitUntilSeen(desk: Desk, sought: Sought, note: Note): Promise<void> {
  const url = readSiteUrl(desk.env);
  // Pages of a host that only receives lead to the site, which another machine shows.
  const page = desk.env.RECEIVER_OF === undefined ? sought.page : undefined;
  const isStatic = await isOnStaticHost(desk);
  const isSeen = async () =>
    (isStatic || (await readShownName(url)) === sought.name) && (await isPageShown(url, { ...sought, page }));
  const until = Date.now() + (isStatic ? 0 : PATIENCE_MS);
  while (Date.now() < until) {
    if (await isSeen()) return note({ state: 'live', liveAt: Date.now() });
    await setTimeout(ASK_EVERY_MS);
  }
  note(isStatic ? { state: 'written' } : { state: 'unseen', reason: describeUnseen(url) });
  void keepAsking(desk, sought.name, isSeen);
}

const PATIENCE_MS = 30_000;
const ASK_EVERY_MS = 500;

/** A host may take minutes to build, and a server may start later. Ends with the next publish, or with the desk. */
async function keepAsking({ env: { DATA_DIR } }: Desk, name: string, isSeen: () => Promise<boolean>): Promise<void> {
  for (;;) {
    await setTimeout(10_000, undefined, { ref: false });
    const last = readPublication(DATA_DIR);
    if (last?.name !== name) return;
    if (await isSeen()) return writePublication(DATA_DIR, { ...last, state: 'live', liveAt: Date.now() });
  }
}

function describeUnseen(url: string): string {
  return `Your words are in your files, but ${url} doesn't show them yet. If your site isn't running, start it. If it runs on another machine, commit and push content/ here, and go live there.`;
}

function explainFailure(error: unknown): string {
  const reason = explainError(error);
  return `Nothing was published: ${reason}${/[.?!]$/.test(reason) ? '' : '.'} Your words are still here. Correct that, then publish again.`;
}
