import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Place } from './running-newsletter.ts';

/** Makes the store unavailable, as another program or a restart would. @returns a function that brings it back */
export async function takeStoreAway({ DATA_DIR, DATABASE_URL }: Place): Promise<() => Promise<void>> {
  if (DATABASE_URL === undefined) {
    const database = new DatabaseSync(join(DATA_DIR, 'sign-ups.db'), { timeout: 2000 });
    database.exec('begin exclusive');
    return async () => {
      database.exec('commit');
      database.close();
    };
  }
  const url = new URL(DATABASE_URL);
  const name = url.pathname.slice(1);
  url.pathname = 'postgres';
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  return async () => {
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
  };
}
