import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/**
 * Makes a database file readable by its owner only, whatever the folder's mode; SQLite gives its journal the same mode.
 * @param path made when it is missing
 * @throws when the file is readable by others and its mode cannot be changed
 */
export function restrictToOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) restrict(file, OWNER_ONLY);
}

/** Restricts a file or folder that exists to this mode. */
export function restrict(path: string, mode: number): void {
  if (!existsSync(path) || (statSync(path).mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    throw new Error(
      `${path}: others on this machine can read it, and its mode cannot be changed (${(error as NodeJS.ErrnoException).code}); let the user who runs the server own it`,
      { cause: error },
    );
  }
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
