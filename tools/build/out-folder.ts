import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { keepEarlierFiles } from '#build/keep-earlier-files.ts';

/** Thrown if a build can't start, with a message that says what to do. */
export class BuildError extends Error {
  override name = 'BuildError';
}

/**
 * `place` is where the build will be; it is made in `folder`, next to that, so that one rename puts it in place.
 */
export type OutFolder = { place: string; folder: string; swap: () => Promise<void>; discard: () => void };

/** This file marks a folder as a build: only marked folders are replaced. */
const MARK = 'made-by-npm-run-build.txt';
const MARK_TEXT = 'npm run build creates this folder, and replaces everything in it. Don’t keep your own files here.\n';

/**
 * Creates an empty folder for a build; the earlier build is kept until the new one is complete.
 * @param out absolute path of the build's folder
 * @param owners.outside folders that the build folder must not contain, such as the project
 * @param owners.apart folders that it must neither contain nor be in, such as content/
 * @throws {BuildError} if the folder has files but isn't an earlier build
 */
export function prepareOut(out: string, owners: { outside: string[]; apart: string[] }): OutFolder {
  const place = findRealPath(out);
  const reject = (problem: string) => {
    throw new BuildError(`OUT_DIR: ${out} ${problem}. Choose a folder that doesn't exist yet, such as dist`);
  };
  const apart = owners.apart.map(findRealPath);
  const held = [...owners.outside, homedir()]
    .map(findRealPath)
    .concat(apart)
    .find((each) => isWithin(each, place));
  if (held !== undefined) reject(held === place ? 'can’t hold a build: it would be emptied' : `contains ${held}`);
  const holder = apart.find((each) => isWithin(place, each));
  if (holder !== undefined) reject(`is inside ${holder}`);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) reject('is a file');
  const names = stats ? readdirSync(place) : [];
  if (names.length > 0 && !names.includes(MARK)) reject('contains files, and isn’t an earlier build');

  mkdirSync(dirname(place), { recursive: true });
  // Checked before the build, which takes a while.
  for (const each of [dirname(place), ...(names.length > 0 ? [place] : [])]) accessSync(each, constants.W_OK);
  removeKilledBuilds(place);
  const folder = mkdtempSync(`${place}.building-`);
  // A web server that runs as another user may serve the folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, MARK), MARK_TEXT);
  return {
    place,
    folder,
    swap: async () => {
      await keepEarlierFiles(place, folder);
      const earlier = `${folder}.earlier`;
      if (names.length > 0) renameSync(place, earlier);
      else rmSync(place, { recursive: true, force: true });
      renameSync(folder, place);
      rmSync(earlier, { recursive: true, force: true });
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A killed build leaves its folder behind; after an hour it can't be in use. */
function removeKilledBuilds(place: string): void {
  for (const name of readdirSync(dirname(place))) {
    const path = join(dirname(place), name);
    if (!name.startsWith(`${basename(place)}.building-`)) continue;
    const isOld = Date.now() - statSync(path).mtimeMs > 3_600_000;
    if (isOld && readdirSync(path).includes(MARK)) rmSync(path, { recursive: true });
  }
}

/** Resolves symbolic links, including those above a folder that doesn't exist yet. */
function findRealPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    return dirname(whole) === whole ? whole : join(findRealPath(dirname(whole)), basename(whole));
  }
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith('..') && resolve(folder, inside) === path);
}
