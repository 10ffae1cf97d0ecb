import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A statement for the thread. SQLite's temporary files are in `folder`: `/tmp` may be small, or readable by others. */
type Statement = { file: string; folder: string; statement: string; values: string[] };

/**
 * Runs one SQLite statement in a thread, because the driver is synchronous.
 * @param file the database
 * @param values of the statement's parameters
 * @throws the driver's error, for example if another program holds the lock for five seconds
 */
export async function runInThread(file: string, statement: string, values: string[] = []): Promise<void> {
  const workerData: Statement = { file, folder: dirname(file), statement, values };
  const thread = new Worker(`(${runStatement.toString()})()`, { eval: true, workerData });
  await once(thread, 'exit');
}

/** Runs in the thread. It can't use anything else in this module, so it loads what it needs itself. */
function runStatement(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { file, folder, statement, values } = workerData as Statement;
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(`pragma secure_delete = on; pragma temp_store_directory = '${folder.replaceAll("'", "''")}'`);
  // A blocked checkpoint is reported in its row, not as an error.
  const row = database.prepare(statement).get(...values);
  if (row?.busy) throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
  database.close();
}
