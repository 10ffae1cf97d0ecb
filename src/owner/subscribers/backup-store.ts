import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Environment } from '#shared/environment.ts';
import { STORE_FILE } from '#store/open-store.ts';
import { runPostgresProgram } from './postgres-program.ts';

/**
 * Writes the whole store, as it is at one moment, into one file that did not exist before. The server may run on.
 * SQLite: a database file, checked before it gets its name. PostgreSQL: what `pg_dump` makes, for `restore-backup`.
 * @throws when the file exists, or the backup is not whole
 */
export async function backupStore(
  env: Environment,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const draft = `${file}.unfinished`;
  reserve(file);
  try {
    // What a killed backup has left. Made anew before anything is written, since pg_dump would let everybody read it.
    rmSync(draft, { force: true });
    reserve(draft);
    await (env.DATABASE_URL === undefined
      ? backupFile(join(env.DATA_DIR, STORE_FILE), draft, onProgress)
      : runPostgresProgram('pg_dump', env.DATABASE_URL, ['--format=custom', `--file=${draft}`]));
    flush(draft);
    renameSync(draft, file);
  } catch (error) {
    for (const unfinished of [draft, file]) rmSync(unfinished, { force: true });
    throw error;
  }
}

function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${file} exists; expected the name of a new file`, { cause: error });
  }
}

async function backupFile(
  source: string,
  draft: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5000 });
  try {
    await backup(database, draft, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
  } finally {
    database.close();
  }
  const copy = new DatabaseSync(draft);
  try {
    // A backup is one file: it must leave no journal beside it, neither now nor when it is read.
    copy.exec('pragma journal_mode = delete');
    if (!isWhole(copy)) throw new Error('The backup is not whole; is the disk in order?');
  } finally {
    copy.close();
  }
}

const PAGES_AT_ONCE = 1000;

export function isWhole(database: DatabaseSync): boolean {
  return database.prepare('pragma quick_check').get()?.quick_check === 'ok';
}

function flush(file: string): void {
  const written = openSync(file, 'r+');
  fsyncSync(written);
  closeSync(written);
}
