import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, SqliteAdapter, SqliteDialect, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import * as signUps from './migrations/001-sign-ups.ts';
import * as oneMailboxOnePerson from './migrations/002-one-mailbox-one-person.ts';
import * as interruptedDeliveries from './migrations/003-interrupted-deliveries.ts';
import * as updates from './migrations/004-updates.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite-database.ts';

/** Where sign-ups are kept: a SQLite file or a PostgreSQL database, with the same tables. */
export type Store = {
  kind: 'sqlite' | 'postgres';
  /** For a person: where the data lies, without any password. */
  place: string;
  db: Kysely<Schema>;
  /**
   * Runs `work` in one transaction that is on disk when the promise settles.
   * Tried again while another process holds the lock, for `patienceMs` in all.
   */
  transaction: <T>(work: (tx: Transaction<Schema>) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

/**
 * Opens the store and brings its tables up to date.
 * @param options.databaseUrl PostgreSQL's address; without it the file `dataDir`/sign-ups.db is used
 * @throws the driver's error when the store cannot be reached or migrated
 */
export async function openStore(options: { databaseUrl: string | undefined; dataDir: string }): Promise<Store> {
  const store = options.databaseUrl === undefined ? openFile(options.dataDir) : openServer(options.databaseUrl);
  try {
    const migrator = new Migrator({ db: store.db, provider: { getMigrations: async () => MIGRATIONS } });
    await retried(async () => {
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
    });
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** The file that holds everything when no DATABASE_URL is given. */
export const STORE_FILE = 'sign-ups.db';

const MIGRATIONS = {
  '001-sign-ups': signUps,
  '002-one-mailbox-one-person': oneMailboxOnePerson,
  '003-interrupted-deliveries': interruptedDeliveries,
  '004-updates': updates,
};

function openFile(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, STORE_FILE);
  const db = new Kysely<Schema>({ dialect: new TransactionalSqlite({ database: openSqlite(path) }) });
  return opened('sqlite', path, db);
}

/** SQLite changes tables in transactions; Kysely does not know, and a kill would leave half a migration. */
class TransactionalSqlite extends SqliteDialect {
  override createAdapter() {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl() {
        return true;
      }
    })();
  }
}

function openServer(databaseUrl: string): Store {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 8,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: 2 * TIMEOUT_MS,
  });
  // A connection that breaks fails its query, or is replaced on the next; without listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { host, pathname } = new URL(databaseUrl);
  return opened(
    'postgres',
    `PostgreSQL ${host}${pathname}`,
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
  );
}

function opened(kind: Store['kind'], place: string, db: Kysely<Schema>): Store {
  return {
    kind,
    place,
    db,
    transaction: (work) => retried(() => db.transaction().execute(work)),
    close: () => db.destroy(),
  };
}

/** How long a sign-up waits for a lock or a connection before it is refused, in milliseconds. */
const TIMEOUT_MS = 5000;

async function retried<T>(work: () => Promise<T>): Promise<T> {
  const patienceEnds = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || Date.now() > patienceEnds) throw error;
      await pause(20 + Math.random() * 60);
    }
  }
}

/** Another process holds the lock (SQLITE_BUSY), or PostgreSQL broke off one of two that waited for each other. */
function isContention(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return (errcode !== undefined && (errcode & 0xff) === 5) || code === '40P01' || code === '40001';
}
