import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Runs one SQLite statement in a thread of its own, since the driver is synchronous.
 * @param file the database; temporary copies are made next to it, since `/tmp` may be small, or readable by others
 * @param values of the statement's parameters
 * @throws the driver's error, for example if another program holds the lock for five seconds
 */
export async function runInThread(file: string, statement: string, values: string[] = []): Promise<void> {
  const thread = new Worker(RUN, { eval: true, workerData: { file, folder: dirname(file), statement, values } });
  await once(thread, 'exit');
}

const RUN = `
  const { file, folder, statement, values } = require('node:worker_threads').workerData;
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("pragma secure_delete = on; pragma temp_store_directory = '" + folder.replaceAll("'", "''") + "'");
  // A blocked checkpoint says so in its row.
  const row = database.prepare(statement).get(...values);
  if (row?.busy) throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
  database.close();
`;
