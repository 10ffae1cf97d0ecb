import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { explainToOwner } from '#desk/explain-to-owner.ts';
import { openStore } from '#newsletter/database/open-store.ts';
import { restoreBackup } from '#newsletter/backup/restore-backup.ts';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { endWithoutSheet } from '#newsletter/deliveries/sheet-end.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { enqueue, openFreshStore } from '../setup/run-queue.ts';
import { makeFolder } from '../../make-folder.ts';
import { freshStore, isMissing, openPlace, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

test('restores a list that was copied by hand while in use, with its write-ahead log', async () => {
  const used = await freshStore();
  const store = await openPlace(used);
  await seedSubscribers(store, 5);
  const there = await freshStore();
  const copy = join(there.DATA_DIR, 'copy.db');
  for (const part of ['', '-wal']) copyFileSync(join(used.DATA_DIR, `sign-ups.db${part}`), copy + part);
  expect(await restoreBackup(parseEnvironment(there), copy, false)).toMatchObject({ people: 5 });
});

test('refuses a list that was copied by hand and renamed without its journal', async () => {
  const used = await freshStore();
  const store = await openPlace(used);
  await seedSubscribers(store, 5);
  const there = await freshStore();
  const folder = makeFolder();
  copyFileSync(join(used.DATA_DIR, 'sign-ups.db'), join(folder, 'monday.db'));
  copyFileSync(join(used.DATA_DIR, 'sign-ups.db-wal'), join(folder, 'sign-ups.db-wal'));
  const restoring = restoreBackup(parseEnvironment(there), join(folder, 'monday.db'), false);
  await expect(restoring).rejects.toThrow('rename sign-ups.db-wal to monday.db-wal');
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
  'restores the old list at the next start after Ctrl-C during a restore on PostgreSQL',
  async () => {
    const place = await freshStore('PostgreSQL');
    const env = parseEnvironment(place);
    const store = await openStore({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
    const { file } = await makeBackup({ env, store }, join(place.DATA_DIR, 'backup.dump'));
    await seedSubscribers(store, 3);
    await store.close();
    // Lets the backup be checked, then hangs instead of restoring it.
    const reached = join(place.DATA_DIR, 'reached');
    const hang = `case "$*" in *--single-transaction*) touch '${reached}'; exec sleep 60 ;; esac`;
    const PATH = putProgram('pg_restore', `${hang}; PATH="\${PATH#*:}" exec pg_restore "$@"`);
    const command = [resolve('src/cli/subscribers-program.ts'), 'restore-backup', file, '--replace'];
    const restoring = spawn(process.execPath, command, { env: { ...place, PATH }, detached: true, stdio: 'ignore' });
    await waitUntil(() => expect(existsSync(reached)).toBe(true));
    process.kill(-restoring.pid!, 'SIGINT');
    await once(restoring, 'exit');
    const again = await openPlace(place);
    expect(await again.db.selectFrom('subscribers').select('id').execute()).toHaveLength(3);
  },
);

test.skipIf(isMissing('PostgreSQL'))('quotes pg_dump’s error to the owner if a backup fails', async () => {
  const place = await freshStore('PostgreSQL');
  const store = await openPlace(place);
  const sentence = 'pg_dump: error: aborting because of server version mismatch';
  vi.stubEnv('PATH', putProgram('pg_dump', `echo '${sentence}' >&2; exit 1`));
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = parseEnvironment(place);
  const error = await makeBackup({ env, store }, join(place.DATA_DIR, 'backup.dump')).catch(
    (reason: unknown) => reason,
  );
  expect(explainToOwner(error, { env, log: () => undefined })).toContain(sentence);
});

/** Puts a shell script ahead of the programs with this name. @returns the PATH */
function putProgram(name: string, script: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}${delimiter}${process.env.PATH}`;
}

test('makes a backup on a disk without hard links, and doesn’t overwrite an existing file', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 2);
  const env = parseEnvironment(place);
  const file = join(place.DATA_DIR, 'backup.db');
  const link = vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    link.mockRestore();
    syncBuiltinESMExports();
  });
  expect(await makeBackup({ env, store }, file)).toEqual({ file, people: 2 });
  expect(link).toHaveBeenCalled();
  await expect(makeBackup({ env, store }, file)).rejects.toThrow('already exists');
  expect(existsSync(`${file}.unfinished`)).toBe(false);
});

test.skipIf(isMissing('PostgreSQL'))(
  'names another role’s session that is using the list on PostgreSQL, and restores while one is idle',
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
    expect.objectContaining({ kind: 'sheet', cause: expect.stringContaining('1 change was waiting') }),
  );
});
