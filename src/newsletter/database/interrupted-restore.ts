import type { Client, Pool } from 'pg';

/** The list that a restore replaces: a schema of PostgreSQL, or the name of an attached file. */
export const BEFORE_RESTORE = 'before_restore';

/** The advisory lock of PostgreSQL that a restore holds. */
export const RESTORE_LOCK = 7_303_014;

/** Puts the replaced list in PostgreSQL back if a restore was interrupted. */
export async function undoInterruptedRestore(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (select from pg_namespace where nspname = '${BEFORE_RESTORE}') as found`,
  );
  if (rows[0]?.found !== true) return;
  const client = await pool.connect();
  try {
    if (!(await takeLock(client))) return;
    await client.query(
      `begin; drop schema if exists public cascade; alter schema ${BEFORE_RESTORE} rename to public; commit`,
    );
    await client.query(`select pg_advisory_unlock(${RESTORE_LOCK})`);
  } finally {
    client.release();
  }
}

/** @returns false while a restore is running */
async function takeLock(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${RESTORE_LOCK}) as taken`);
  return rows[0]?.taken === true;
}
