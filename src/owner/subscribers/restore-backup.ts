import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { type Environment, parseEnvironment } from '#shared/environment.ts';
import { openSigningSecret, SECRET_FILE } from '#list/signing-secret.ts';
import { lockFolder } from '#store/folder-lock.ts';
import { COMMAND_WAITS, openStore, type Store, STORE_FILE } from '#store/open-store.ts';
import { failRestored } from '#store/delivery-state.ts';
import { carryOver, readRefusals, type Refusals } from '#list/carry-over.ts';
import { countPeople } from '#list/read-subscribers.ts';
import { pauseRestored } from '#mail/updates/update-schedule.ts';
import { isWhole } from './make-backup.ts';
import { runPostgresProgram } from './postgres-program.ts';
import { answer, type Answer, writeError } from '../command/print.ts';
import { people } from '../command/words.ts';

/**
 * Replaces the list with a backup. People who unsubscribed or were erased since stay so, where the list before can be
 * read. Mails that waited when the backup was made are held back, since they may have gone out.
 * @throws when a server runs, when there is a list and `replace` is not given, or when the backup does not fit
 */
export async function restoreBackup(file: string, options: Answer & { replace?: boolean }): Promise<void> {
  const restored = await restoreFrom(parseEnvironment(process.env), file, options.replace ?? false);
  const { unsubscribed, erased, heldMails, pausedUpdates } = restored;
  const lines = [
    `Restored ${people(restored.people)}.`,
    unsubscribed > 0 && `Unsubscribed again, as they had since the backup: ${unsubscribed}.`,
    erased > 0 && `Erased again, as they were since the backup: ${erased}.`,
    heldMails > 0 && `Emails held back that may have gone out since: ${heldMails}. "subscribers retry all" sends them.`,
    pausedUpdates > 0 &&
      `Updates paused that may have gone out since: ${pausedUpdates}. "updates status" shows one, "updates resume" sends it to the rest, "updates cancel" ends it.`,
  ];
  answer(options, restored, `${lines.filter(Boolean).join('\n')}\n`);
}

/**
 * Puts a backup in the place that `env` names.
 * @throws as `restoreBackup`
 */
export async function restoreFrom(env: Environment, file: string, replace: boolean): Promise<Restored> {
  refuseOtherKind(file, env);
  if (env.SIGNING_SECRET === undefined && !existsSync(join(env.DATA_DIR, SECRET_FILE))) {
    throw new Error(
      `SIGNING_SECRET: expected the secret that was kept with the backup, there or as ${join(env.DATA_DIR, SECRET_FILE)}`,
    );
  }
  return env.DATABASE_URL === undefined
    ? restoreFile(env, file, replace)
    : restoreServer(env, env.DATABASE_URL, file, replace);
}

export type Restored = {
  people: number;
  unsubscribed: number;
  erased: number;
  heldMails: number;
  pausedUpdates: number;
};

function refuseOtherKind(file: string, env: Environment): void {
  const kind = readKind(file);
  if (kind === undefined) throw new Error(`${file}: expected a file that "subscribers backup" made`);
  if (kind === 'SQLite' && env.DATABASE_URL !== undefined) {
    throw new Error(`DATABASE_URL: expected none, since ${file} is a backup of SQLite`);
  }
  if (kind === 'PostgreSQL' && env.DATABASE_URL === undefined) {
    throw new Error(`DATABASE_URL: expected the database to restore into, since ${file} is a backup of PostgreSQL`);
  }
}

function readKind(file: string): 'SQLite' | 'PostgreSQL' | undefined {
  const start = Buffer.alloc(16);
  const opened = openSync(file, 'r');
  readSync(opened, start);
  closeSync(opened);
  if (start.toString('latin1').startsWith('SQLite format 3')) return 'SQLite';
  return start.toString('latin1').startsWith('PGDMP') ? 'PostgreSQL' : undefined;
}

async function restoreFile(env: Environment, file: string, replace: boolean): Promise<Restored> {
  const unlock = lockFolder(env.DATA_DIR);
  const workFolder = join(env.DATA_DIR, '.restoring');
  try {
    // A restore that was killed has left its copy of the list.
    rmSync(workFolder, { recursive: true, force: true });
    mkdirSync(workFolder, { mode: 0o700 });
    const place = join(env.DATA_DIR, STORE_FILE);
    const refusals = existsSync(place) ? await readEarlierRefusals(env, replace) : NONE;
    const draft = join(workFolder, STORE_FILE);
    copyFileSync(file, draft);
    if (!isWhole(draft)) throw new Error(describeCutBackup(file));
    const restored = await finish({ ...env, DATA_DIR: workFolder }, env, refusals);
    for (const journal of [`${place}-wal`, `${place}-shm`]) rmSync(journal, { force: true });
    renameSync(draft, place);
    return restored;
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
    unlock();
  }
}

const NONE: Refusals = { erasures: [], unsubscribed: [] };

/** @throws when there is a list, and `replace` is not set */
async function readEarlierRefusals(env: Environment, replace: boolean): Promise<Refusals> {
  const store = await openTheStore(env).catch((error: unknown) => {
    if (replace && isDamaged(error)) return undefined;
    throw error;
  });
  if (store === undefined) {
    writeError(`The list before is damaged: unsubscribe and erase again those who asked since the backup.\n`);
    return NONE;
  }
  try {
    const count = await countPeople(store.db.selectFrom('subscribers'));
    if (count > 0 && !replace) {
      throw new Error(
        `There is a list already, with ${people(count)}. Back it up, then add --replace to put the backup in its place.`,
      );
    }
    return await readRefusals(store);
  } finally {
    await store.close();
  }
}

function openTheStore(env: Environment): Promise<Store> {
  return openStore({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR, waits: COMMAND_WAITS });
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isDamaged(error: unknown): boolean {
  return [11, 26].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
}

/** Brings a restored store up to date. @param env where the signing secret is */
async function finish(restoredEnv: Environment, env: Environment, refusals: Refusals): Promise<Restored> {
  const store = await openTheStore(restoredEnv);
  try {
    const secret = await openSigningSecret(store, env.DATA_DIR, env.SIGNING_SECRET);
    const now = Date.now();
    const carried = await carryOver(store, refusals, secret, now);
    const heldMails = await failRestored(store.db, now);
    const pausedUpdates = await pauseRestored(store);
    return { people: await countPeople(store.db.selectFrom('subscribers')), ...carried, heldMails, pausedUpdates };
  } finally {
    await store.close();
  }
}

function describeCutBackup(file: string): string {
  return `${basename(file)}: the backup is not whole`;
}

/** The list before is kept aside until the backup is in its place. */
async function restoreServer(env: Environment, databaseUrl: string, file: string, replace: boolean): Promise<Restored> {
  // Reads the whole file, into nothing.
  const reading = spawnSync('pg_restore', [`--file=${devNull}`, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (reading.status === 1) throw new Error(describeCutBackup(file));
  await onServer(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    if (rows[0].others > 0) throw new Error('DATABASE_URL: another program uses this database; stop the server first');
    const aside = await client.query('select 1 from pg_namespace where nspname = $1', [ASIDE]);
    if (aside.rowCount !== 0) {
      throw new Error(
        `DATABASE_URL: expected no schema ${ASIDE}, which a restore that was killed has left; with psql: drop schema public cascade; alter schema ${ASIDE} rename to public`,
      );
    }
  });
  const refusals = await readEarlierRefusals(env, replace);
  await onServer(databaseUrl, (client) => client.query(`alter schema public rename to ${ASIDE}; create schema public`));
  try {
    const words = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', file];
    await runPostgresProgram('pg_restore', databaseUrl, words);
    const restored = await finish(env, env, refusals);
    await onServer(databaseUrl, (client) => client.query(`drop schema ${ASIDE} cascade`));
    return restored;
  } catch (error) {
    await onServer(databaseUrl, (client) =>
      client.query(`drop schema public cascade; alter schema ${ASIDE} rename to public`),
    );
    throw error;
  }
}

const ASIDE = 'before_restore';

/** Runs `work` on a connection of its own to PostgreSQL. */
export async function onServer(databaseUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
