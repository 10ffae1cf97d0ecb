import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSites } from '#server/live-site.ts';

/**
 * How far a publish is: the words are checked, the pages are made, the live address is asked; then it's live, or the
 * words are only in the files (on a static host until it builds, elsewhere until the site answers), or nothing changed.
 */
export type PublicationState = 'checking' | 'making' | 'showing' | 'live' | 'written' | 'unseen' | 'failed';

/** The last publish. */
export type Publication = {
  /** The folder of its site in DATA_DIR/sites. */
  name: string;
  /** When it began, in milliseconds since 1970. */
  at: number;
  state: PublicationState;
  /** The file of a page that changed, by which the live address is asked; undefined if none did. */
  page?: string | undefined;
  /** When visitors saw it. */
  liveAt?: number;
  /** Why nothing was published, or why the words are not seen yet. */
  reason?: string;
};

/** States in which a process is working, unless it was killed. */
export const MAKING: PublicationState[] = ['checking', 'making'];

/** States that the page with the steps shows. */
export const RUNNING: PublicationState[] = [...MAKING, 'showing'];

/** @returns undefined if nothing has been published here */
export function readPublication(dataDir: string): Publication | undefined {
  const file = join(findSites(dataDir), 'last.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Publication) : undefined;
}

export function writePublication(dataDir: string, publication: Publication): void {
  const file = join(findSites(dataDir), 'last.json');
  mkdirSync(findSites(dataDir), { recursive: true });
  writeFileSync(`${file}.unfinished`, JSON.stringify(publication));
  renameSync(`${file}.unfinished`, file);
}
