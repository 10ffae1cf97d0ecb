import { hash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { renameFile } from '#newsletter/database/rename-file.ts';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBuiltSite } from '#build/built-site.ts';
import { keepEarlierFiles } from '#build/keep-earlier-files.ts';
import type { Misfit } from '#content/apply-overlay.ts';
import { listFiles } from '#content/list-files.ts';
import { findPlace, type Overlay, PICTURE_SOURCE } from '#content/overlay.ts';
import { runBuildSite } from './run-build-site.ts';

/** The folders in which a program finds sites. @property build has `site`, `content`, `content.json` and `server` */
export type SitePlaces = { build: string; dataDir: string };

/** A site that can be shown. @property folder has `site`, `content` and `content.json` */
export type MadeSite = { name: string; folder: string; misfits: Misfit[] };

/** The sites in DATA_DIR are a cache: whatever is missing or damaged is rebuilt. */
export function findSites(dataDir: string): string {
  return join(dataDir, 'sites');
}

/** Whether the files of a site still exist. */
export function isStillThere({ folder }: MadeSite): boolean {
  return existsSync(join(folder, 'content.json'));
}

/** Names the site of a build with an overlay; identical sites have the same name. */
export function nameSite(build: string, overlay: Overlay): string {
  const { contentHash, code, settings } = readBuiltSite(build);
  const values = Object.keys(overlay)
    .toSorted()
    .map((key) => [key, overlay[key]!.value]);
  if (values.length === 0) return BUILD_NAME;
  const publicFolder = findPublicFolder(build);
  const files = listFiles(publicFolder)
    .toSorted()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(publicFolder, file));
      return [file, size, mtimeMs];
    });
  return hash('sha256', JSON.stringify([contentHash, code, settings, values, files])).slice(0, 16);
}

/** The name of the build's own site, without an overlay. */
const BUILD_NAME = 'build';

/** The files of public/ that the build was made with. */
export function findPublicFolder(build: string): string {
  return join(build, 'server/public');
}

type Making = {
  overlay: Overlay;
  readPicture: (name: string) => Promise<Buffer | undefined>;
  /** The site that is shown now: open pages still request its hashed files. */
  before: MadeSite | undefined;
  /** Called when the overlay is checked, if the site has to be made. */
  onChecked?: (misfits: Misfit[]) => void;
};

/**
 * Finds the site with an overlay in the cache, or makes it.
 * @throws an error that tells the owner what to do; in that case no files are left behind
 */
export async function obtainSite(places: SitePlaces, making: Making): Promise<MadeSite> {
  const { build, dataDir } = places;
  const name = nameSite(build, making.overlay);
  if (name === BUILD_NAME) return { name, folder: build, misfits: [] };
  const folder = join(findSites(dataDir), name);
  const misfits = await readIntact(folder);
  if (misfits !== undefined) {
    if (making.before && making.before.name !== name) await addEarlierFiles(making.before.folder, folder, misfits);
    const now = new Date();
    utimesSync(folder, now, now);
    return { name, folder, misfits };
  }
  // The server and the desk's thread may make the same site at the same time.
  const unfinished = `${folder}${UNFINISHED}${randomUUID()}`;
  try {
    await mkdir(unfinished, { recursive: true });
    const left = await makeSite(unfinished, places, making);
    // Another process may have built it in the meantime, and be showing it.
    if ((await readIntact(folder)) === undefined) await moveInto(folder, unfinished);
    return { name, folder, misfits: left };
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const UNFINISHED = '.unfinished-';

/** Replaces a damaged or missing site, unless another process or thread has just put an intact one there. */
async function moveInto(folder: string, made: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  try {
    await renameFile(made, folder);
  } catch (error) {
    if ((await readIntact(folder)) === undefined) throw error;
  }
}

async function makeSite(out: string, { build }: SitePlaces, making: Making): Promise<Misfit[]> {
  const { overlay, readPicture, before, onChecked } = making;
  await mkdir(join(out, 'pictures'));
  for (const [key, { value }] of Object.entries(overlay)) {
    if (findPlace(key).name !== PICTURE_SOURCE || typeof value !== 'string' || !PICTURE_NAME.test(value)) continue;
    const bytes = await readPicture(value);
    if (bytes) await writeFile(join(out, 'pictures', value), bytes);
  }
  // A damaged site must not be copied.
  const earlier = before && (await isIntact(before)) ? before.folder : build;
  const misfits = await runBuildSite(
    join(build, 'server'),
    {
      base: join(build, 'content'),
      overlay,
      pictures: join(out, 'pictures'),
      public: findPublicFolder(build),
      pages: readBuiltSite(build).documents,
      out,
      settings: readBuiltSite(build).settings,
      earlier,
    },
    onChecked,
  );
  await addEarlierFiles(earlier, out, misfits);
  return misfits;
}

const PICTURE_NAME = /^[\w-]+\.\w+$/;

/** Open pages still request the previous site's hashed files. */
async function addEarlierFiles(before: string, folder: string, misfits: Misfit[]): Promise<void> {
  await keepEarlierFiles(before, folder, { folders: ['site/assets'] });
  await seal(folder, misfits);
}

/** The contents of a built site. @property files the hash of each, by its path */
type Seal = { files: Record<string, string>; misfits: Misfit[] };

const SEAL = 'files.json';

/** Lists the files of a site with their hashes, after all of them are on disk. */
async function seal(folder: string, misfits: Misfit[]): Promise<void> {
  const paths = listFiles(folder).filter((path) => path !== SEAL);
  const files: Record<string, string> = {};
  for (const path of paths) {
    await flush(join(folder, path));
    files[path] = await hashFile(join(folder, path));
  }
  const content: Seal = { files, misfits };
  await writeFile(join(folder, SEAL), JSON.stringify(content));
  await flush(join(folder, SEAL));
}

/** @returns undefined if the site is missing, or one of its files has been changed */
async function readIntact(folder: string): Promise<Misfit[] | undefined> {
  try {
    const { files, misfits } = JSON.parse(readFileSync(join(folder, SEAL), 'utf8')) as Seal;
    for (const [path, expected] of Object.entries(files)) {
      if ((await hashFile(join(folder, path))) !== expected) return undefined;
    }
    return files['content.json'] === undefined ? undefined : misfits;
  } catch {
    return undefined;
  }
}

async function isIntact({ name, folder }: MadeSite): Promise<boolean> {
  return name === BUILD_NAME || (await readIntact(folder)) !== undefined;
}

async function hashFile(path: string): Promise<string> {
  return hash('sha256', await readFile(path)).slice(0, 16);
}

/** Flushes a file to disk, so that a power cut can't leave it empty. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes all but the last few sites, and the leftovers of killed processes. */
export function removeOldSites(dataDir: string, shown: MadeSite): void {
  const sites = findSites(dataDir);
  if (!existsSync(sites)) return;
  const byAge = readdirSync(sites)
    .filter((name) => name !== shown.name)
    .map((name) => ({ name, at: statSync(join(sites, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.at - one.at);
  const isLeft = ({ name, at }: { name: string; at: number }) =>
    name.includes(UNFINISHED) && Date.now() - at > LONGEST_MAKING_MS;
  const made = byAge.filter(({ name }) => !name.includes(UNFINISHED));
  for (const { name } of [...byAge.filter(isLeft), ...made.slice(KEPT)]) {
    rmSync(join(sites, name), { recursive: true, force: true });
  }
}

const KEPT = 4;
const LONGEST_MAKING_MS = 10 * 60_000;
