import type { QueryCreator } from 'kysely';
import { type Environment, mergeOwnerValues, type OwnerSetting, type OwnerValues } from '#settings/environment.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import { decryptValue, encryptValue } from './encrypt-value.ts';

/** Settings whose values contain a password; in the sheet's URL, it is the script's secret. */
const WITH_PASSWORD = new Set<OwnerSetting>(['SMTP_URL', 'BOUNCE_MAILBOX', 'SHEET_URL']);

/** @returns the values as in .env, and the names of the settings that this signing secret can't decrypt */
export async function readOwnerValues(
  db: QueryCreator<Schema>,
  secret: string,
): Promise<{ values: OwnerValues; unreadable: OwnerSetting[] }> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute();
  const entries = rows.map(({ name, value }) => {
    return [name, WITH_PASSWORD.has(name) ? decryptValue(name, value, secret) : value] as const;
  });
  const unreadable = entries.flatMap(([name, value]) => (value === undefined ? [name] : []));
  return { values: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), unreadable };
}

/**
 * Saves some of the owner's settings; the others don't change.
 * @param values an empty value resets the setting to its default
 * @param now milliseconds since 1970
 */
export async function saveOwnerValues(store: Store, secret: string, values: OwnerValues, now: number): Promise<void> {
  const entries = Object.entries(values) as [OwnerSetting, string][];
  await store.transaction(async (tx) => {
    for (const [name, value] of entries) {
      if (value === '') await tx.deleteFrom('settings').where('name', '=', name).execute();
      else {
        const kept = WITH_PASSWORD.has(name) ? encryptValue(name, value, secret) : value;
        const row = { value: kept, changed_at: toIso(now) };
        await tx
          .insertInto('settings')
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute();
      }
    }
  });
}

/**
 * Reads the environment, including the owner's settings. If SITE_URL isn't set, the owner's mail server is ignored,
 * because links in emails begin with SITE_URL.
 * @param env with or without earlier owner settings
 */
export async function readEnvironment(
  { db }: Pick<Store, 'db'>,
  secret: string,
  env: Environment,
): Promise<Environment> {
  const { values } = await readOwnerValues(db, secret);
  if (env.SITE_URL === undefined) delete values.SMTP_URL;
  return mergeOwnerValues(env, values);
}
