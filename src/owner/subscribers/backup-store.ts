import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '#shared/environment.ts';
import { STORE_FILE } from '#store/open-store.ts';
import { runInThread } from '#store/run-in-thread.ts';
import { writeWhole } from '../command/write-whole.ts';
import { runPostgresProgram } from './postgres-program.ts';

/**
 * Writes the whole store, as it is at one moment, into one file that did not exist before. The server may run on.
 * SQLite: a database file, checked before it gets its name. PostgreSQL: what `pg_dump` makes, for `restore-backup`.
 * @throws when the file exists, or the backup is not whole
 */
export async function backupStore(env: Environment, file: string): Promise<void> {
  await writeWhole(file, async (draft) => {
    if (env.DATABASE_URL === undefined) await copyDatabase(join(env.DATA_DIR, STORE_FILE), draft);
    else await runPostgresProgram('pg_dump', env.DATABASE_URL, ['--format=custom', `--file=${draft}`]);
  });
}

async function copyDatabase(source: string, draft: string): Promise<void> {
  // One read transaction, which commits of the server do not restart as they do SQLite's online backup.
  await flushDuring(runInThread(source, 'vacuum into ?', [draft]), draft);
  const copy = new DatabaseSync(draft, { readOnly: true });
  try {
    if (!isWhole(copy)) throw new Error('The backup is not whole; is the disk in order?');
  } finally {
    copy.close();
  }
}

/** Brings a file to disk bit by bit while it is written: all at once, it would hold up the commits of the server. */
async function flushDuring(work: Promise<void>, file: string): Promise<void> {
  const state = { isDone: false };
  const markDone = () => {
    state.isDone = true;
  };
  work.then(markDone, markDone);
  const written = await open(file, 'r+');
  try {
    while (!state.isDone) {
      await written.datasync();
      await pause(FLUSH_PAUSE_MS);
    }
    await work;
  } finally {
    await written.close();
  }
}

const FLUSH_PAUSE_MS = 20;

export function isWhole(database: DatabaseSync): boolean {
  return database.prepare('pragma quick_check').get()?.quick_check === 'ok';
}
