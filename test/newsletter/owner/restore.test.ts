import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { restoreBackup } from '#newsletter/backup/restore-backup.ts';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { endWithoutSheet } from '#newsletter/deliveries/sheet-end.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { enqueue, openFreshStore } from '../setup/run-queue.ts';
import { freshStore, isMissing, openPlace } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

test('restores a list that was copied by hand while in use, with its journal', async () => {
  const used = await freshStore();
  const store = await openPlace(used);
  await seedSubscribers(store, 5);
  const there = await freshStore();
  const copy = join(there.DATA_DIR, 'copy.db');
  for (const part of ['', '-wal']) copyFileSync(join(used.DATA_DIR, `sign-ups.db${part}`), copy + part);
  expect(await restoreBackup(parseEnvironment(there), copy, false)).toMatchObject({ people: 5 });
});

test('refuses to restore while another program has the list open', async () => {
  const place = await freshStore();
  const env = parseEnvironment(place);
  const store = await openPlace(place);
  const { file } = await makeBackup({ env, store }, join(place.DATA_DIR, 'backup.db'));
  await store.close();
  const viewer = new DatabaseSync(join(place.DATA_DIR, 'sign-ups.db'));
  viewer.prepare('select count(*) from subscribers').get();
  await expect(restoreBackup(env, file, true)).rejects.toThrow('another program has the list open');
  viewer.close();
  expect(await restoreBackup(env, file, true)).toMatchObject({ people: 0 });
  expect(existsSync(join(place.DATA_DIR, '.restoring'))).toBe(false);
});

test.skipIf(isMissing('PostgreSQL'))(
  'brings the old list back at the next start if a restore on PostgreSQL was interrupted',
  async () => {
    const place = await freshStore('PostgreSQL');
    const store = await openPlace(place);
    await seedSubscribers(store, 3);
    const client = new Client({ connectionString: place.DATABASE_URL });
    await client.connect();
    await client.query('alter schema public rename to before_restore; create schema public');
    await client.end();
    const again = await openPlace(place);
    expect(await again.db.selectFrom('subscribers').select('id').execute()).toHaveLength(3);
  },
);

test.skipIf(isMissing('PostgreSQL'))(
  'names another role’s session that uses the list of PostgreSQL, and restores beside an idle one',
  async () => {
    const place = await freshStore('PostgreSQL');
    const store = await openPlace(place);
    const env = parseEnvironment(place);
    const { file } = await makeBackup({ env, store }, join(place.DATA_DIR, 'backup.dump'));
    await store.close();
    const owner = new Client({ connectionString: place.DATABASE_URL });
    await owner.connect();
    const role = `monitor_${Date.now()}`;
    await owner.query(
      `create role ${role} login password 'monitor'; grant select on all tables in schema public to ${role}`,
    );
    await owner.end();
    const url = new URL(place.DATABASE_URL ?? '');
    Object.assign(url, { username: role, password: 'monitor' });
    const monitor = new Client({ connectionString: url.href, application_name: 'their monitor' });
    await monitor.connect();
    await monitor.query('begin; select count(*) from subscribers');
    await expect(restoreBackup(env, file, true)).rejects.toThrow(`(${role}, their monitor`);
    await monitor.query('commit');
    expect(await restoreBackup(env, file, true)).toMatchObject({ people: 0 });
    await monitor.query(`select 1`);
    await monitor.end();
    const again = new Client({ connectionString: place.DATABASE_URL });
    await again.connect();
    await again.query(`drop owned by ${role}; drop role ${role}`);
    await again.end();
  },
);

test('drops what is waiting for a sheet that was removed, and tells the owner', async () => {
  const store = await openFreshStore();
  await enqueue(store, createDelivery('sheet-erasure', null, { rows: ['1'] }, Date.now()));
  await endWithoutSheet(store, false, Date.now());
  expect(await store.db.selectFrom('deliveries').select('state').execute()).toEqual([{ state: 'dropped' }]);
  expect(await findOwnerTasks(store, parseEnvironment({}), Date.now())).toContainEqual(
    expect.objectContaining({ kind: 'sheet', cause: expect.stringContaining('1 message to the sheet waited') }),
  );
});
