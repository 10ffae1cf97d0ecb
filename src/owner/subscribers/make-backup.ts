import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '#shared/environment.ts';
import { SECRET_FILE } from '#list/signing-secret.ts';
import { recordBackup } from '#store/last-backup.ts';
import { STORE_FILE } from '#store/open-store.ts';
import { runInThread } from '#store/run-in-thread.ts';
import { namePrivateFile } from '../command/private-file.ts';
import { write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';
import { writeWhole } from '../command/write-whole.ts';
import { runPostgresProgram } from './postgres-program.ts';

export async function backUp(opened: Opened, named: string | undefined): Promise<void> {
  const file = await makeBackup(opened, named);
  const secret = join(opened.env.DATA_DIR, SECRET_FILE);
  write(`Backed up to ${file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`);
}

/**
 * Writes a backup into a new file, by default in PRIVATE_DIR, and notes when.
 * @returns the file
 * @throws when the file exists, when Git would take it, or when the backup is not whole
 */
export async function makeBackup({ env, store }: Pick<Opened, 'env' | 'store'>, named?: string): Promise<string> {
  const file = named ?? namePrivateFile(env, 'backup', env.DATABASE_URL === undefined ? 'db' : 'dump');
  const begun = Date.now();
  await writeWhole(file, (draft) => copyStore(env, draft));
  await recordBackup(store, begun);
  return file;
}

/**
 * Copies the whole store as it is at one moment, while the server may run on. From SQLite comes a database, from
 * PostgreSQL a file of `pg_dump`.
 */
async function copyStore(env: Environment, draft: string): Promise<void> {
  if (env.DATABASE_URL !== undefined) {
    await runPostgresProgram('pg_dump', env.DATABASE_URL, ['--format=custom', `--file=${draft}`]);
    return;
  }
  // One read transaction, which commits of the server do not restart as they do SQLite's online backup.
  await flushDuring(runInThread(join(env.DATA_DIR, STORE_FILE), 'vacuum into ?', [draft]), draft);
  if (!isWhole(draft)) throw new Error('The backup is not whole; is the disk in order?');
}

/**
 * Writes a file to disk bit by bit while it grows: all at once at its end, it would hold up the commits of the server.
 */
async function flushDuring(work: Promise<void>, file: string): Promise<void> {
  const ended = Promise.allSettled([work]);
  const written = await open(file, 'r+');
  try {
    while (!(await Promise.race([ended, pause(FLUSH_PAUSE_MS, false)]))) await written.datasync();
    await work;
  } finally {
    await written.close();
  }
}

const FLUSH_PAUSE_MS = 20;

/** @param file a SQLite database */
export function isWhole(file: string): boolean {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('pragma quick_check').get()?.quick_check === 'ok';
  } catch {
    return false;
  } finally {
    database.close();
  }
}
