import { join } from 'node:path';
import type { Environment } from '#settings/environment.ts';
import { countPeople } from '#newsletter/subscribers/read-subscribers.ts';
import { recordBackup } from './last-backup.ts';
import { type Store, STORE_FILE } from '#newsletter/database/open-store.ts';
import { runInThread } from '#newsletter/database/run-in-thread.ts';
import { namePrivateFile } from './private-file.ts';
import type { Opened } from '../open-list.ts';
import { writeNewFile } from './write-new-file.ts';
import { runPostgresProgram } from './postgres-program.ts';
import { verifyDump, verifySqlite } from './verify-backup.ts';

/**
 * Writes a backup into a new file, by default in PRIVATE_DIR, verifies it, and records the time.
 * @returns the file, and how many people it holds
 * @throws if the file exists, or if the backup is damaged
 */
export async function makeBackup(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  named?: string,
): Promise<{ file: string; people: number }> {
  const file = named ?? namePrivateFile(env, 'backup', env.DATABASE_URL === undefined ? 'db' : 'dump');
  const begun = Date.now();
  const count = await writeNewFile(file, (draft) => copyStore(env, store, draft));
  await recordBackup(store, begun);
  return { file, people: count };
}

/**
 * Makes a consistent copy of the store, even while the server is running, and verifies it. The copy is a SQLite
 * database or a `pg_dump` file.
 * @returns how many people there are
 */
async function copyStore(env: Environment, store: Store, draft: string): Promise<number> {
  if (env.DATABASE_URL !== undefined) {
    await runPostgresProgram('pg_dump', ['--format=custom', `--file=${draft}`], env.DATABASE_URL);
    await verifyDump(draft);
    return countPeople(store.db.selectFrom('subscribers'));
  }
  // VACUUM INTO is a single read transaction. SQLite's online backup would start again at each of the server's commits.
  await runInThread(join(env.DATA_DIR, STORE_FILE), 'vacuum into ?', [draft]);
  return verifySqlite(draft);
}
