import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Environment } from '#shared/environment.ts';
import { STORE_FILE } from '#store/open-store.ts';
import { writeWhole } from '../command/write-whole.ts';
import { runPostgresProgram } from './postgres-program.ts';

/**
 * Writes the whole store, as it is at one moment, into one file that did not exist before. The server may run on.
 * SQLite: a database file, checked before it gets its name. PostgreSQL: what `pg_dump` makes, for `restore-backup`.
 * @throws when the file exists, or the backup is not whole
 */
export async function backupStore(env: Environment, file: string): Promise<void> {
  await writeWhole(file, async (draft) => {
    if (env.DATABASE_URL === undefined) copyDatabase(join(env.DATA_DIR, STORE_FILE), draft);
    else await runPostgresProgram('pg_dump', env.DATABASE_URL, ['--format=custom', `--file=${draft}`]);
  });
}

function copyDatabase(source: string, draft: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5000 });
  try {
    // One read transaction, which commits of the server do not restart as they do SQLite's online backup.
    database.prepare('vacuum into ?').run(draft);
  } finally {
    database.close();
  }
  const copy = new DatabaseSync(draft, { readOnly: true });
  try {
    if (!isWhole(copy)) throw new Error('The backup is not whole; is the disk in order?');
  } finally {
    copy.close();
  }
}

export function isWhole(database: DatabaseSync): boolean {
  return database.prepare('pragma quick_check').get()?.quick_check === 'ok';
}
