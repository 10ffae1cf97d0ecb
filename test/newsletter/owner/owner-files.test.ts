import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
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
  const { DATA_DIR, store, file } = await listOfSize(20_000_000);
  // If the backup was complete before the kill, this tries again.
  do {
    rmSync(file, { force: true });
    const killed = spawnCommand({ DATA_DIR }, 'backup', file);
    const exited = once(killed, 'exit');
    while (killed.exitCode === null && !existsSync(`${file}.unfinished`)) await nextTurn();
    killed.kill('SIGKILL');
    await exited;
  } while (existsSync(file));
  expect(existsSync(`${file}.unfinished`)).toBe(true);

  await seedSubscribers(store, 1000);
  expect(await runBuiltCommand({ DATA_DIR }, 'backup', file)).toMatchObject({ code: 0 });
  expect(existsSync(`${file}.unfinished`)).toBe(false);
  expect(readFrom(file, 'select count(*) as people from subscribers')).toEqual({ people: 1000 });
});

test('backs up the list as it was at the start, while others keep writing', async () => {
  const { DATA_DIR, file } = await listOfSize(30_000_000);
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
  const { commits } = readFrom(file, "select cast(value as integer) as commits from metadata where name = 'commits'");
  expect(commits).toBeLessThanOrEqual(begun);
});

/** A list in a file of this many bytes, which takes some time to copy. */
async function listOfSize(bytes: number) {
  const { DATA_DIR } = await freshStore();
  const store = await openPlace({ DATA_DIR });
  const filler = sql`hex(zeroblob(${sql.lit(bytes / 2)}))`;
  await sql`insert into metadata (name, value) values ('filler', ${filler})`.execute(store.db);
  return { DATA_DIR, store, file: join(DATA_DIR, 'today.db') };
}

function readFrom(file: string, query: string) {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    return copy.prepare(query).get()!;
  } finally {
    copy.close();
  }
}

test('writes a backup and an export without a name into the private folder', async () => {
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
