import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { restrictToOwner } from './owner-only.ts';

/**
 * Opens Node's own SQLite in the form that Kysely's dialect expects, which saves compiling an add-on.
 * A commit is on disk when it returns (WAL, synchronous=FULL).
 * @param path the database file, created if it is missing, readable by its owner only
 */
export function openSqlite(path: string): SqliteDatabase {
  restrictToOwner(path);
  const database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS });
  try {
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma busy_timeout = ${STATEMENT_WAIT_MS};
    `);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close: () => database.close(),
    prepare: (sql) => toKysely(database.prepare(adaptToSqlite(sql, database))),
  };
}

/** Before its store is open, a process has nothing else to do. */
const OPENING_WAIT_MS = 5000;

/** How long one statement may wait for a lock: SQLite blocks the main thread while it waits. */
const STATEMENT_WAIT_MS = 5;

function adaptToSqlite(sql: string, { isTransaction }: DatabaseSync): string {
  // A transaction that reads and then writes would fail if another process wrote in between.
  if (sql === 'begin') return 'begin immediate';
  // On a full disk SQLite has already rolled back; a second rollback would hide the original error.
  return sql === 'rollback' && !isTransaction ? 'select 1' : sql;
}

function toKysely(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: (values) => statement.run(...(values as SQLInputValue[])),
    iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
  };
}
