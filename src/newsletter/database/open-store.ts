import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool, type PoolClient, types } from 'pg';
import type { FieldMigration } from '#shared/sign-up-fields.ts';
import { undoInterruptedRestore } from './interrupted-restore.ts';
import * as tables from './migrations/001-tables.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite-database.ts';

/** Where sign-ups are kept: a SQLite file or a PostgreSQL database, with the same tables. */
export type Store = {
  kind: 'sqlite' | 'postgres';
  /** Where the data is, for display: without a password. */
  place: string;
  db: Kysely<Schema>;
  /**
   * Runs `work` in one transaction that is on disk when the promise settles.
   * Retries while another process holds the lock, for as long as the store may wait for one.
   */
  transaction: <T>(work: (tx: Transaction<Schema>) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

/**
 * Opens the store and brings its tables up to date.
 * @param options.databaseUrl PostgreSQL's URL; without it the file `dataDir`/sign-ups.db is used
 * @param options.waits how long to wait for locks; a server's by default
 * @throws the driver's error if the store can't be reached or migrated
 */
export function openStore(options: StoreOptions): Promise<Store> {
  // Another program, for example a backup, may hold the store for a while.
  return retryOnContention(OPENING_TIMEOUT_MS, () => openAndMigrate(options));
}

type StoreOptions = { databaseUrl: string | undefined; dataDir: string; waits?: Waits };

const OPENING_TIMEOUT_MS = 30_000;

async function openAndMigrate({ databaseUrl, dataDir, waits = SERVER_WAITS }: StoreOptions): Promise<Store> {
  const store = databaseUrl === undefined ? openFile(dataDir, waits) : await openServer(databaseUrl, waits);
  try {
    const migrator = new Migrator({ db: store.db, provider: { getMigrations: async () => MIGRATIONS } });
    const migrations = await migrator.getMigrations();
    if (migrations.every(({ executedAt }) => executedAt !== undefined)) return store;
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** How long a store waits for a lock that another process holds, in milliseconds. */
export type Waits = {
  /** The operation fails after this time. */
  totalMs: number;
  /** The longest pause after a transaction. A pause lasts as long as the transaction did, to let others get the lock. */
  pauseMs: number;
};

/** While the server waits, so does a visitor. */
const SERVER_WAITS: Waits = { totalMs: 5000, pauseMs: 0 };

/** A command has nothing else to do, and competes with a server for the lock. */
export const COMMAND_WAITS: Waits = { totalMs: 30_000, pauseMs: 100 };

/** The file that holds everything when no DATABASE_URL is given. */
export const STORE_FILE = 'sign-ups.db';

const MIGRATIONS = {
  '001-tables': tables,
} satisfies Record<FieldMigration, Migration> & Record<string, Migration>;

function openFile(dataDir: string, waits: Waits): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, STORE_FILE);
  const db = new Kysely<Schema>({ dialect: new TransactionalSqlite({ database: openSqlite(path) }) });
  return makeStore('sqlite', path, db, waits);
}

/** SQLite can change tables in transactions. Kysely doesn't know that, and a kill would leave a migration half done. */
class TransactionalSqlite extends SqliteDialect {
  override createAdapter() {
    return Object.defineProperty(super.createAdapter(), 'supportsTransactionalDdl', { value: true });
  }
}

async function openServer(databaseUrl: string, waits: Waits): Promise<Store> {
  // PostgreSQL's counts are 64-bit integers, which pg returns as strings.
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 8,
    connectionTimeoutMillis: CONNECTION_MS,
    query_timeout: 2 * waits.totalMs,
  });
  // A broken connection fails its query or is replaced. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', markAsStoreError));
  await undoInterruptedRestore(pool).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const { host, pathname } = new URL(databaseUrl);
  return makeStore(
    'postgres',
    `PostgreSQL ${host}${pathname}`,
    new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: { options: pool.options, connect: () => connect(pool), end: () => pool.end() },
      }),
    }),
    // PostgreSQL locks single rows, so others don't need a pause.
    { ...waits, pauseMs: 0 },
  );
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw markAsStoreError(error as Error);
  }
}

/** Marks a failed connection as PostgreSQL's error, so that it isn't mistaken for another server's. */
function markAsStoreError(error: Error): Error {
  return Object.assign(error, { severity: 'FATAL' });
}

function makeStore(kind: Store['kind'], place: string, db: Kysely<Schema>, waits: Waits): Store {
  return {
    kind,
    place,
    db,
    transaction: async (work) => {
      let begun = 0;
      const result = await retryOnContention(waits.totalMs, () => {
        begun = performance.now();
        return db.transaction().execute(work);
      });
      if (waits.pauseMs > 0) await pause(Math.min(performance.now() - begun, waits.pauseMs));
      return result;
    },
    close: () => db.destroy(),
  };
}

/** How long a connection to PostgreSQL may take, in milliseconds. */
const CONNECTION_MS = 5000;

async function retryOnContention<T>(totalMs: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || performance.now() - start > totalMs) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
}

/** Whether another process holds the lock (SQLITE_BUSY), or PostgreSQL has resolved a deadlock or a conflict. */
function isContention(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return (errcode !== undefined && (errcode & 0xff) === 5) || code === '40P01' || code === '40001';
}
