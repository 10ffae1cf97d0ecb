import { devNull } from 'node:os';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainError } from '#shared/explain-codes.ts';
import { runPostgresProgram } from './postgres-program.ts';

/**
 * Verifies a SQLite database.
 * @param name the file's name, for the error
 * @returns how many people it holds
 * @throws if it is damaged
 */
export function verifySqlite(file: string, name = file): number {
  const database = new DatabaseSync(file);
  try {
    const result = database.prepare('pragma integrity_check').get()?.integrity_check;
    if (result !== 'ok') throw new Error(String(result));
    return Number(database.prepare('select count(*) as people from subscribers').get()?.people);
  } catch (error) {
    throw new Error(`${basename(name)}: the backup is damaged, or isn’t a SQLite database`, { cause: error });
  } finally {
    database.close();
  }
}

/**
 * Reads a whole `pg_dump` file.
 * @throws unless it contains the table of subscribers and can be read to the end
 */
export async function verifyDump(file: string): Promise<void> {
  try {
    const contents = await runPostgresProgram('pg_restore', ['--list', file]);
    if (!/TABLE DATA \S+ subscribers /.test(contents)) throw new Error('it has no table of subscribers');
    await runPostgresProgram('pg_restore', [`--file=${devNull}`, file]);
  } catch (error) {
    throw new Error(`${basename(file)}: the backup is damaged, or isn’t a PostgreSQL dump (${explainError(error)})`, {
      cause: error,
    });
  }
}
