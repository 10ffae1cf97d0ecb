import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { runBuiltCommand, spawnCommand, startBuiltServer } from '../setup/built-server.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { freshStore, openPlace, signUp, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

/** Files below a folder that somebody else on the machine could read, folders left out. */
function readableByOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      // A file listed a moment ago may be gone.
      const file = statSync(path, { throwIfNoEntry: false });
      return file?.isFile() && (file.mode & 0o077) !== 0;
    });
}

test('lets only their owner read the server’s files and a backup, even in folders that everybody may read', async () => {
  const { DATA_DIR } = await freshStore();
  const file = join(DATA_DIR, 'sign-ups.db');
  const outbox = join(DATA_DIR, 'outbox');
  const backups = join(DATA_DIR, 'backups');
  for (const folder of [outbox, backups]) mkdirSync(folder);
  new DatabaseSync(file).close();
  for (const path of [DATA_DIR, file, outbox, backups]) chmodSync(path, 0o755);
  const server = await startBuiltServer({ DATA_DIR });
  await signUp(server.url);
  await waitUntil(() => expect(readdirSync(outbox)).toHaveLength(1));
  expect((await runCommand({ DATA_DIR }, 'status')).output).toContain('No backup yet');
  // Also while it is being written.
  const seen = new Set<string>();
  const watching = setInterval(() => {
    for (const path of readableByOthers(backups)) seen.add(path);
  }, 1);
  expect((await runBuiltCommand({ DATA_DIR }, 'backup', join(backups, 'today.db'))).code).toBe(0);
  clearInterval(watching);
  expect([...seen, ...readableByOthers(DATA_DIR)]).toEqual([]);
  expect(readdirSync(backups)).toEqual(['today.db']);
  expect(statSync(outbox).mode & 0o777).toBe(0o700);
  expect(readdirSync(DATA_DIR)).toContain('sign-ups.db-wal');
});

test('makes a backup after one of the same name was killed', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 3);
  const file = join(place.DATA_DIR, 'today.db');
  writeFileSync(`${file}.unfinished`, 'the beginning of a backup');
  expect(await makeBackup({ env: parseEnvironment(place), store }, file)).toEqual({ file, people: 3 });
  expect(existsSync(`${file}.unfinished`)).toBe(false);
});

test('backs up the list as it was at the start, while others keep writing', async () => {
  const { DATA_DIR } = await freshStore();
  const file = join(DATA_DIR, 'today.db');
  // It takes some time to copy.
  const filler = sql`insert into metadata (name, value) values ('filler', hex(zeroblob(15000000)))`;
  await filler.execute((await openPlace({ DATA_DIR })).db);
  const writer = new DatabaseSync(join(DATA_DIR, 'sign-ups.db'), { timeout: 5000 });
  onTestFinished(() => writer.close());
  writer.exec('pragma synchronous = off');
  const commit = writer.prepare("insert or replace into metadata (name, value) values ('commits', ?)");
  const backup = spawnCommand({ DATA_DIR }, 'backup', file);
  onTestFinished(() => void backup.kill('SIGKILL'));
  let begun = Infinity;
  for (let number = 0; backup.exitCode === null; number += 1) {
    commit.run(`${number}`);
    if (begun === Infinity && statSync(`${file}.unfinished`, { throwIfNoEntry: false })?.size) begun = number;
    await nextTurn();
  }
  expect(backup.exitCode).toBe(0);
  expect(begun).toBeLessThan(Infinity);
  const copy = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => copy.close());
  expect(Number(copy.prepare("select value from metadata where name = 'commits'").get()!.value)).toBeLessThanOrEqual(
    begun,
  );
});

test('writes backups and exports into the private folder unless a file is named', async () => {
  const { DATA_DIR } = await freshStore();
  await (await openPlace({ DATA_DIR })).close();
  const PRIVATE_DIR = join(DATA_DIR, 'private');
  expect(await runCommand({ DATA_DIR, PRIVATE_DIR }, 'backup')).toMatchObject({ code: 0, errors: '' });
  expect(await runCommand({ DATA_DIR, PRIVATE_DIR }, 'export')).toMatchObject({ code: 0, errors: '' });
  expect(readdirSync(PRIVATE_DIR).toSorted()).toEqual([
    expect.stringMatching(/^backup-\d{4}-\d\d-\d\dT[0-9-]+\.db$/),
    expect.stringMatching(/^subscribed-\d{4}-\d\d-\d\dT[0-9-]+\.csv$/),
  ]);
});
