import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/**
 * Makes a database file readable by its owner only, whatever the folder's mode; SQLite gives its journal the same mode.
 * @param path created if it is missing
 * @throws if others can read the file and its mode can't be changed
 */
export function restrictToOwner(path: string): void {
  // Never opens an existing file: closing it would release the locks that SQLite holds on it in this process
  // (sqlite.org/howtocorrupt.html, section 2.2).
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) restrict(file, OWNER_ONLY);
}

/** Sets the mode of a file or folder, if it exists and others have access to it. */
export function restrict(path: string, mode: number): void {
  if (existsSync(path) && (statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode);
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
