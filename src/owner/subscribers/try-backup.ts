import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Opened } from '../command/with-store.ts';
import { onServer, restoreFrom } from './restore-backup.ts';

/**
 * Restores a backup into an empty folder or database, which is removed again; a trial that was killed leaves its copy
 * of the list until the next one.
 * @returns how many people came back
 * @throws as `restoreBackup`; on PostgreSQL also when its user may not create a database
 */
export async function tryBackup({ env, secret }: Pick<Opened, 'env' | 'secret'>, file: string): Promise<number> {
  const folder = join(env.DATA_DIR, 'backup-trial');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const trial = { ...env, DATA_DIR: folder, SIGNING_SECRET: secret };
  const restore = async (DATABASE_URL?: string) => (await restoreFrom({ ...trial, DATABASE_URL }, file, false)).people;
  try {
    return await (env.DATABASE_URL === undefined ? restore() : inEmptyDatabase(env.DATABASE_URL, restore));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inEmptyDatabase<T>(databaseUrl: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const remove = () => onServer(databaseUrl, (client) => client.query(`drop database if exists ${TRIAL} with (force)`));
  await remove();
  await onServer(databaseUrl, (client) => client.query(`create database ${TRIAL}`)).catch((error: unknown) => {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      'This database’s user may not create another one to try the backup in; docs/commands.md says how to try it.',
    );
  });
  try {
    const url = new URL(databaseUrl);
    url.pathname = TRIAL;
    return await work(url.href);
  } finally {
    await remove();
  }
}

const TRIAL = 'newsletter_backup_trial';

const INSUFFICIENT_PRIVILEGE = '42501';
