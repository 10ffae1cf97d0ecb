import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { listContentPaths } from '#content/content-files.ts';
import { findSites, isUnfinished, readLive } from './live-site.ts';

/**
 * The changes of a publish to content/, stored as `files.json` in its site's folder: each file's hash before and after;
 * null if there is none. The folder has the files in `content`, and those of before in `before`.
 */
export type FileChange = { path: string; before: string | null; after: string | null };

/** @returns the files in which two content folders differ */
export function compareWords(before: string, after: string): FileChange[] {
  const paths = [...new Set([...listContentPaths(before), ...listContentPaths(after)])];
  return paths
    .map((path) => ({ path, before: hashFile(join(before, path)), after: hashFile(join(after, path)) }))
    .filter((change) => change.before !== change.after);
}

/**
 * Writes the files beside the old ones, so that a full disk, or a read-only folder, is noticed before
 * anything is live.
 * @throws if a file has changed since it was copied, and with the system's own error
 */
export function prepareFiles(site: string, content: string): void {
  for (const { path, before, after } of readChanges(site)) {
    const place = findPlace(content, path);
    if (hashFile(place) !== before) {
      throw new Error(`content/${path} changed on disk meanwhile. Look at your changes again, then publish`);
    }
    if (after === null) continue;
    mkdirSync(dirname(place), { recursive: true });
    const mode = statSync(place, { throwIfNoEntry: false })?.mode;
    writeFileSync(`${place}.unfinished`, readFileSync(join(site, 'content', path)), mode === undefined ? {} : { mode });
  }
}

/** Removes what `prepareFiles` wrote. */
export function discardFiles(site: string, content: string): void {
  if (!existsSync(join(site, 'files.json'))) return;
  for (const { path } of readChanges(site)) rmSync(`${findPlace(content, path)}.unfinished`, { force: true });
}

/**
 * Moves the content of the live site into content/ if that wasn't done: after a publish, and at each start, since a
 * publish may have been interrupted. A file that somebody else has changed since stays as it is.
 */
export function finishPublish(dataDir: string, content: string | undefined): void {
  const live = readLive(dataDir);
  if (live === undefined || content === undefined) return;
  const site = join(findSites(dataDir), live.site);
  if (!isUnfinished(site)) return;
  for (const { path, before, after } of readChanges(site)) {
    const place = findPlace(content, path);
    if (hashFile(place) === before) {
      if (after === null) rmSync(place);
      else {
        if (hashFile(`${place}.unfinished`) !== after) {
          mkdirSync(dirname(place), { recursive: true });
          writeFileSync(`${place}.unfinished`, readFileSync(join(site, 'content', path)));
        }
        renameSync(`${place}.unfinished`, place);
      }
    }
    rmSync(`${place}.unfinished`, { force: true });
  }
  const versions = join(dataDir, 'versions');
  mkdirSync(versions, { recursive: true });
  renameSync(join(site, 'before'), join(versions, live.site));
}

function readChanges(site: string): FileChange[] {
  return JSON.parse(readFileSync(join(site, 'files.json'), 'utf8')) as FileChange[];
}

/** A symbolic link stays one: its target is written. */
function findPlace(content: string, path: string): string {
  const place = join(content, path);
  return existsSync(place) ? realpathSync(place) : place;
}

function hashFile(path: string): string | null {
  return existsSync(path) ? hash('sha256', readFileSync(path)) : null;
}
