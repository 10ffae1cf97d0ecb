import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Environment } from '#shared/environment.ts';
import { STORE_FILE } from '../store/open-store.ts';

/**
 * Writes the whole store, as it is at one moment, into one file that did not exist before. The server may run on.
 * SQLite: a database file, checked before it gets its name. PostgreSQL: what `pg_dump` makes, for `pg_restore`.
 * @throws when the file exists, or the backup is not whole
 */
export async function backupStore(
  env: Environment,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const draft = `${file}.unfinished`;
  closeSync(openSync(file, 'wx', 0o600));
  try {
    await (env.DATABASE_URL === undefined
      ? backupFile(join(env.DATA_DIR, STORE_FILE), draft, onProgress)
      : dumpServer(env.DATABASE_URL, draft));
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    rmSync(file, { force: true });
    throw error;
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
  const copy = new DatabaseSync(draft, { readOnly: true });
  try {
    const check = copy.prepare('pragma quick_check').get();
    if (check?.quick_check !== 'ok') throw new Error('The backup is not whole; is the disk in order?');
  } finally {
    copy.close();
  }
}

const PAGES_AT_ONCE = 1000;

async function dumpServer(databaseUrl: string, draft: string): Promise<void> {
  const dump = spawn('pg_dump', ['--format=custom', `--file=${draft}`], {
    // By the environment, since arguments can be seen by everybody on the machine.
    env: { ...process.env, ...connectionOf(databaseUrl) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(dump, 'exit');
  if (code !== 0) throw new Error(`pg_dump ended with ${code}`);
}

function connectionOf(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    PGHOST: decodeURIComponent(hostname),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}
