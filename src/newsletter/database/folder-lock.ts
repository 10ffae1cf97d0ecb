import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { restrictToOwner } from './owner-only.ts';

/**
 * Locks a folder for one server: two servers on one SQLite file would send every email twice. The
 * operating system holds the lock, and releases it when the process ends. The owner's commands don't take it.
 * @returns a function that releases the folder
 * @throws an error that names the folder, if another server holds the lock
 */
export function lockFolder(dataDir: string): () => void {
  const release = takeLock(dataDir, 'server.lock');
  if (release !== undefined) return release;
  throw new Error(
    `DATA_DIR: another server is already using ${resolve(dataDir)}; stop it first, or give this one another folder (servers can share a list only through DATABASE_URL)`,
  );
}

/**
 * Takes a lock, which is released when the process ends, however it ends.
 * @param folder created if it's missing
 * @returns a function that releases it; undefined if another process holds it
 */
export function takeLock(folder: string, name: string): (() => void) | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  restrictToOwner(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return undefined;
  }
  return () => lock.close();
}

const SQLITE_BUSY = 5;
