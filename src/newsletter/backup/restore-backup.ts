import { accessSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Environment } from '#settings/environment.ts';
import { keepContent } from './keep-content.ts';
import { keepOptOuts } from './keep-opt-outs.ts';
import { countPeople } from '#newsletter/subscribers/read-subscribers.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';
import { pauseRestored } from '#newsletter/updates/update-schedule.ts';
import { failRestored } from '../deliveries/queue/delivery-state.ts';
import { lockFolder } from '#newsletter/database/folder-lock.ts';
import { BEFORE_RESTORE, RESTORE_LOCK } from '../database/interrupted-restore.ts';
import { COMMAND_WAITS, openStore, type Store, STORE_FILE } from '#newsletter/database/open-store.ts';
import { formatPeople } from '../format.ts';
import { renameFile } from '../database/rename-file.ts';
import { runPostgresProgram } from './postgres-program.ts';
import { verifyDump, verifySqlite } from './verify-backup.ts';

/** The result of a restore, as numbers of people, emails and updates. */
export type Restored = {
  people: number;
  unsubscribed: number;
  erased: number;
  heldMails: number;
  pausedUpdates: number;
  /** Whether the replaced list was damaged. If it was, nobody has been unsubscribed or erased again. */
  isListDamaged: boolean;
};

/**
 * Restores a backup into an empty store or, with `replace`, over an existing list. People who have unsubscribed or been
 * erased since the backup stay unsubscribed or erased, if that list can be read. Waiting emails are held back, since
 * they may already have gone out.
 * @throws if a server is running, if there is a list and `replace` isn't set, or if the backup is for another database
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
    // A restore that was killed leaves its copy behind.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const before = existsSync(place) ? await readListBefore(env, replace) : 'none';
    if (existsSync(place)) rejectIfOpen(place);
    const draft = join(folder, STORE_FILE);
    copyFileSync(file, draft);
    // In a manual copy of a list in use, the latest sign-ups are still in the journal.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${draft}-wal`);
    else rejectOtherJournal(file);
    verifySqlite(draft, file);
    const restored = await finish({ ...env, DATA_DIR: folder }, env, before);
    for (const journal of [`${place}-wal`, `${place}-shm`]) rmSync(journal, { force: true });
    await renameFile(draft, place);
    return restored;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

/** @throws if there is a journal beside the file that belongs to no other file, since it may be renamed */
function rejectOtherJournal(file: string): void {
  const names = readdirSync(dirname(file));
  const journal = names.find((name) => name.endsWith('-wal') && !names.includes(name.slice(0, -'-wal'.length)));
  if (journal === undefined) return;
  throw new Error(
    `${file}: the latest sign-ups may be in ${journal}. If the two belong together, rename ${journal} to ${basename(file)}-wal; otherwise move it to another folder. Then try again`,
  );
}

/** @throws if another program has the list open, since it would keep using the replaced file */
function rejectIfOpen(place: string): void {
  const database = new DatabaseSync(place, { timeout: 0 });
  try {
    // SQLite leaves WAL mode only if nobody else has the file open.
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) !== SQLITE_BUSY) return;
    throw new Error(
      `${place}: another program has the list open. End every command, desk and viewer that uses it, then try again`,
      { cause: error },
    );
  } finally {
    database.close();
  }
}

const SQLITE_BUSY = 5;

async function restoreDatabase(env: Environment, file: string, replace: boolean): Promise<Restored> {
  await verifyDump(file);
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    await rejectOtherPrograms(client);
    const before = await readListBefore(env, replace);
    // Held until this command exits, for whatever reason.
    await client.query(`select pg_advisory_lock(${RESTORE_LOCK})`);
    await client.query(
      `set lock_timeout = '10s'; alter schema public rename to ${BEFORE_RESTORE}; create schema public`,
    );
    try {
      const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', file];
      await runPostgresProgram('pg_restore', args, env.DATABASE_URL);
      const restored = await finish(env, env, before);
      await client.query(`drop schema ${BEFORE_RESTORE} cascade`);
      return restored;
    } catch (error) {
      await client.query(`drop schema public cascade; alter schema ${BEFORE_RESTORE} rename to public`);
      throw error;
    }
  } finally {
    await client.end();
  }
}

/**
 * @throws an error that names who is using the database. An idle session of another role, such as a monitor's, does no
 *   harm.
 */
async function rejectOtherPrograms(client: Client): Promise<void> {
  const { rows } = await client.query<{ usename: string; application_name: string; client_addr: string | null }>(
    `select usename, application_name, client_addr from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and (usename = current_user or state <> 'idle')`,
  );
  const [other] = rows;
  if (other === undefined) return;
  const who = [other.usename, other.application_name, other.client_addr ?? ''].filter(Boolean).join(', ');
  throw new Error(`DATABASE_URL: another program is using this database (${who}); stop it and the server first`);
}

/** The list that is being replaced. */
type ListBefore = 'none' | 'readable' | 'damaged';

/** @throws if there are people on the current list, and `replace` isn't set */
async function readListBefore(env: Environment, replace: boolean): Promise<ListBefore> {
  try {
    const store = await openTheStore(env);
    const count = await countPeople(store.db.selectFrom('subscribers'));
    await store.close();
    if (count === 0 || replace) return 'readable';
    throw new Error(
      `There is already a list, with ${formatPeople(count)}. Back it up, then add --replace to replace it.`,
    );
  } catch (error) {
    if (!replace || !DAMAGED.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)) throw error;
    return 'damaged';
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);

function openTheStore({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Environment): Promise<Store> {
  return openStore({ databaseUrl, dataDir, waits: COMMAND_WAITS });
}

/**
 * Prepares a restored store for the server.
 * @param env names the folder that holds the signing secret and the replaced list
 */
async function finish(restoredEnv: Environment, env: Environment, before: ListBefore): Promise<Restored> {
  const store = await openTheStore(restoredEnv);
  try {
    await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    const isReadable = before === 'readable';
    if (isReadable && env.DATABASE_URL === undefined) {
      await sql`attach database ${join(env.DATA_DIR, STORE_FILE)} as ${sql.raw(BEFORE_RESTORE)}`.execute(store.db);
    }
    const now = Date.now();
    const kept = isReadable ? await keepOptOuts(store, BEFORE_RESTORE, now) : { unsubscribed: 0, erased: 0 };
    if (isReadable) await keepContent(store, BEFORE_RESTORE);
    const [heldMails, pausedUpdates] = [await failRestored(store.db, now), await pauseRestored(store)];
    const people = await countPeople(store.db.selectFrom('subscribers'));
    return { people, ...kept, heldMails, pausedUpdates, isListDamaged: before === 'damaged' };
  } finally {
    await store.close();
  }
}
