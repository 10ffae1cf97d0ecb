import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { keepToOwner } from './owner-only.ts';

/**
 * Node's own SQLite in the shape that Kysely's dialect asks for, so that no add-on has to be compiled.
 * A commit is on disk when it returns (WAL, synchronous=FULL).
 * @param path the database file; made when it is missing, and readable by its owner only
 * @param blockingWaitMs how long one statement may wait for a lock; SQLite waits on the main thread
 */
export function openSqlite(path: string, blockingWaitMs: number): SqliteDatabase {
  keepToOwner(path);
  const database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS });
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma secure_delete = on;
    pragma busy_timeout = ${blockingWaitMs};
  `);
  // Without it there are a quarter of the sign-ups in a second: preparing takes longer than running.
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known) return known;
      // A transaction that first reads and then writes would fail when another process wrote in between.
      const statement =
        sql === 'rollback'
          ? prepareRollback(database)
          : toKysely(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
  };
}

/** Nothing else happens in a process before its store is open. */
const OPENING_WAIT_MS = 5000;

const MAX_PREPARED = 500;

/** On a full disk SQLite has already rolled back by itself; a second rollback would hide the first error. */
function prepareRollback(database: DatabaseSync): SqliteStatement {
  const run = () => {
    if (database.isTransaction) database.exec('rollback');
    return { changes: 0, lastInsertRowid: 0 };
  };
  return { reader: false, run, all: () => [], iterate: () => [].values() };
}

function toKysely(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: (values) => statement.run(...(values as SQLInputValue[])),
    iterate: (values) => statement.iterate(...(values as SQLInputValue[])),
  };
}
