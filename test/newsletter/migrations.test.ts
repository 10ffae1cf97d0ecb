import { join } from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as signUps from '#store/migrations/001-sign-ups.ts';
import { openStore, STORE_FILE } from '#store/open-store.ts';
import { openSqlite } from '#store/sqlite-database.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { freshStore, isMissing, STORES } from './running-newsletter.ts';

const NOBODY_TOLD = { toSheet: false, toAgency: false };

type Row = Record<string, string | null>;

/** A store as the first release left it, with these rows in it. */
async function oldStore(variables: { DATA_DIR: string; DATABASE_URL?: string }, tables: Record<string, Row[]>) {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = variables;
  const db = new Kysely<Record<string, Row>>({
    dialect:
      databaseUrl === undefined
        ? new SqliteDialect({ database: openSqlite(join(dataDir, STORE_FILE), 1000) })
        : new PostgresDialect({ pool: new Pool({ connectionString: databaseUrl }) }),
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ '001-sign-ups': signUps }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  for (const [table, rows] of Object.entries(tables)) await db.insertInto(table).values(rows).execute();
  await db.destroy();
}

function person(id: string, address: string, state: string, month: string): Row {
  const at = `2026-${month}-01T10:00:00.000Z`;
  return {
    id,
    address,
    normalised_address: address,
    role: '',
    first_source: 'Footer',
    state,
    created_at: at,
    state_changed_at: at,
    engaged_at: at,
    mail_queued_at: at,
  };
}

function consent(id: string, subscriber: string): Row {
  return { id, subscriber_id: subscriber, event: 'given', source: 'Footer', at: '2026-01-01T10:00:00.000Z' };
}

describe.each(STORES)('a list of the first release, on %s,', (name) => {
  test.skipIf(isMissing(name))('has one person for each mailbox, with every consent record', async () => {
    const variables = await freshStore(name);
    await oldStore(variables, {
      subscribers: [
        { ...person('a1', 'Anna@example.org', 'subscribed', '01'), role: 'Founder' },
        person('a2', 'anna@example.org', 'subscribed', '03'),
        person('b1', 'ben@example.org', 'unsubscribed', '02'),
        person('b2', 'BEN@example.org', 'subscribed', '04'),
        person('c1', 'Clara@example.org', 'unsubscribed', '05'),
        person('c2', 'clara@example.org', 'subscribed', '04'),
        person('d1', 'dora@example.org', 'subscribed', '04'),
        person('d2', 'Dora@example.org', 'pending', '05'),
        { ...person('e1', 'Emil@example.org/evil.x', 'subscribed', '01'), normalised_address: 'Emil@example.org' },
        person('f1', 'fay@example.org', 'subscribed', '01'),
      ],
      consent_records: ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2', 'e1', 'f1'].map((id) =>
        consent(`of ${id}`, id),
      ),
    });
    const store = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
    onTestFinished(() => store.close());

    const people = await store.db.selectFrom('subscribers').selectAll().orderBy('normalised_address').execute();
    expect(people.map(({ id, address, state }) => [id, address, state])).toEqual([
      ['a1', 'anna@example.org', 'subscribed'],
      ['b1', 'BEN@example.org', 'subscribed'],
      ['c2', 'Clara@example.org', 'unsubscribed'],
      ['d1', 'dora@example.org', 'subscribed'],
      ['e1', 'Emil@example.org', 'subscribed'],
      ['f1', 'fay@example.org', 'subscribed'],
    ]);
    expect(people.map((row) => row.normalised_address)).toEqual(people.map((row) => row.address.toLowerCase()));
    expect(people[0]).toMatchObject({
      role: 'Founder',
      created_at: '2026-01-01T10:00:00.000Z',
      engaged_at: '2026-03-01T10:00:00.000Z',
    });
    const consents = await store.db
      .selectFrom('consent_records')
      .select(['id', 'subscriber_id'])
      .orderBy('id')
      .execute();
    expect(consents.map((row) => row.subscriber_id)).toEqual([
      'a1',
      'a1',
      'b1',
      'b1',
      'c2',
      'c2',
      'd1',
      'd1',
      'e1',
      'f1',
    ]);
  });

  test.skipIf(isMissing(name))('keeps the unsubscribe links of merged people working', async () => {
    const variables = await freshStore(name);
    await oldStore(variables, {
      subscribers: [
        person('a1', 'Anna@example.org', 'subscribed', '01'),
        person('a2', 'anna@example.org', 'subscribed', '03'),
      ],
    });
    const store = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
    onTestFinished(() => store.close());
    expect(await unsubscribe(store, 'a2', 'unsubscribe link', NOBODY_TOLD, Date.now())).toBe(true);
    expect(await store.db.selectFrom('subscribers').select('state').execute()).toEqual([{ state: 'unsubscribed' }]);
    expect(await store.db.selectFrom('consent_records').select('subscriber_id').execute()).toEqual([
      { subscriber_id: 'a1' },
    ]);
  });
});
