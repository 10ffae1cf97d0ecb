import { accessSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Environment } from '#settings/environment.ts';
import { keepContent } from './keep-content.ts';
import { keepRefusals } from '#newsletter/subscribers/keep-refusals.ts';
import { countPeople } from '#newsletter/subscribers/read-subscribers.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';
import { pauseRestored } from '#newsletter/updates/update-schedule.ts';
import { failRestored } from '../deliveries/queue/delivery-state.ts';
import { lockFolder } from '#newsletter/database/folder-lock.ts';
import { COMMAND_WAITS, openStore, type Store, STORE_FILE } from '#newsletter/database/open-store.ts';
import { formatPeople } from '../format.ts';
import { runPostgresProgram } from './postgres-program.ts';
import { verifyDump, verifySqlite } from './verify-backup.ts';

/** The list that is replaced: a schema of PostgreSQL, or the name of an attached file. */
const BEFORE = 'before_restore';

/** What a restore did; in people, mails and updates. */
export type Restored = {
  people: number;
  unsubscribed: number;
  erased: number;
  heldMails: number;
  pausedUpdates: number;
  /** Whether the replaced list could be read; if not, nobody was unsubscribed or erased again. */
  isListReadable: boolean;
};

/**
 * Restores a backup into an empty store, or with `replace` over a list: people who unsubscribed or were erased since
 * the backup stay so, if that list can be read. Waiting mails are held back, since they may have gone out.
 * @throws if a server runs, if there is a list and `replace` isn't given, or if the backup doesn't fit
 */
export async function restoreBackup(env: Environment, file: string, replace: boolean): Promise<Restored> {
  accessSync(file);
  return env.DATABASE_URL === undefined ? restoreFile(env, file, replace) : restoreDatabase(env, file, replace);
}

async function restoreFile(env: Environment, file: string, replace: boolean): Promise<Restored> {
  const unlock = lockFolder(env.DATA_DIR);
  const folder = join(env.DATA_DIR, '.restoring');
  const place = join(env.DATA_DIR, STORE_FILE);
  try {
    // A killed restore leaves its copy.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const isReadable = existsSync(place) && (await readListBefore(env, replace));
    const draft = join(folder, STORE_FILE);
    copyFileSync(file, draft);
    verifySqlite(draft, file);
    const restored = await finish({ ...env, DATA_DIR: folder }, env, isReadable);
    for (const journal of [`${place}-wal`, `${place}-shm`]) rmSync(journal, { force: true });
    renameSync(draft, place);
    return restored;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

async function restoreDatabase(env: Environment, file: string, replace: boolean): Promise<Restored> {
  await verifyDump(file);
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    if (rows[0].others > 0) throw new Error('DATABASE_URL: another program uses this database; stop the server first');
    const isListReadable = await readListBefore(env, replace);
    await client.query(`alter schema public rename to ${BEFORE}; create schema public`);
    try {
      const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', file];
      await runPostgresProgram('pg_restore', args, env.DATABASE_URL);
      const restored = await finish(env, env, isListReadable);
      await client.query(`drop schema ${BEFORE} cascade`);
      return restored;
    } catch (error) {
      await client.query(`drop schema public cascade; alter schema ${BEFORE} rename to public`);
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** @returns whether the current list can be read. @throws if it has people, and `replace` isn't set */
async function readListBefore(env: Environment, replace: boolean): Promise<boolean> {
  try {
    const store = await openTheStore(env);
    const count = await countPeople(store.db.selectFrom('subscribers'));
    await store.close();
    if (count === 0 || replace) return true;
    throw new Error(
      `There is a list already, with ${formatPeople(count)}. Back it up, then add --replace to replace it.`,
    );
  } catch (error) {
    if (!replace || !DAMAGED.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)) throw error;
    return false;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);

function openTheStore({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Environment): Promise<Store> {
  return openStore({ databaseUrl, dataDir, waits: COMMAND_WAITS });
}

/**
 * Prepares a restored store for a server.
 * @param env names the folder of the signing secret and of the replaced list
 * @param isReadable whether that list can be read
 */
async function finish(restoredEnv: Environment, env: Environment, isReadable: boolean): Promise<Restored> {
  const store = await openTheStore(restoredEnv);
  try {
    await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    if (isReadable && env.DATABASE_URL === undefined) {
      await sql`attach database ${join(env.DATA_DIR, STORE_FILE)} as ${sql.raw(BEFORE)}`.execute(store.db);
    }
    const now = Date.now();
    const kept = isReadable ? await keepRefusals(store, BEFORE, now) : { unsubscribed: 0, erased: 0 };
    if (isReadable) await keepContent(store, BEFORE);
    const [heldMails, pausedUpdates] = [await failRestored(store.db, now), await pauseRestored(store)];
    const people = await countPeople(store.db.selectFrom('subscribers'));
    return { people, ...kept, heldMails, pausedUpdates, isListReadable: isReadable };
  } finally {
    await store.close();
  }
}
