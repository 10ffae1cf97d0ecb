import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { COMMAND_WAITS, openStore, type Store } from '../src/newsletter/database/open-store.ts';
import { BUILD, makeDataFolder, startServer } from './server.ts';

const SUBSCRIBERS = join(BUILD, 'server/subscribers.js');

/** The commands that read the whole list, given the folder for their files. */
const COMMANDS: Record<string, (folder: string) => string[]> = {
  status: () => ['status', '--json'],
  export: (folder) => ['export', '--file', join(folder, 'list.csv')],
  erase: () => ['erase', 'reader7@example.org'],
  backup: (folder) => ['backup', join(folder, 'backup')],
};

/**
 * Measures startup and the commands on lists of these sizes, while another client signs up and reads a page.
 * @param databaseUrl an empty PostgreSQL database; without it SQLite
 * @returns table rows: store, people, what was done, seconds, peak memory in MB, longest wait in ms
 */
export async function measureListSizes(sizes: number[], databaseUrl?: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (const people of sizes) {
    await using folder = await makeDataFolder();
    const variables = {
      DATA_DIR: folder.path,
      SIGNING_SECRET: 'a secret for the bench, long enough',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    };
    // Seeding a million people exceeds the server's query timeout.
    const store = await openStore({ databaseUrl, dataDir: folder.path, waits: COMMAND_WAITS });
    await seed(store, people);
    const add = (what: string, cells: string[]) => rows.push([store.kind, `${people}`, what, ...cells]);
    // Somebody has been erased, so the server looks for returning people when it starts.
    await runMeasured(variables, ['erase', 'reader1@example.org']);
    const begun = performance.now();
    await using server = await startServer(BUILD, variables);
    const seconds = (performance.now() - begun) / 1000;
    const idle = await watchClient(server.url, () => pause(people / 100 + 2000));
    add('startup, including retention', [seconds.toFixed(1), readPeakMegabytes(server.pid), idle.toFixed(0)]);
    for (const [what, args] of Object.entries(COMMANDS)) {
      let measured = { seconds: 0, megabytes: '' };
      const wait = await watchClient(server.url, async () => {
        measured = await runMeasured(variables, args(folder.path));
      });
      add(what, [measured.seconds.toFixed(1), measured.megabytes, wait.toFixed(0)]);
    }
    if (databaseUrl) await sql`drop schema public cascade; create schema public`.execute(store.db);
    await store.close();
  }
  return rows;
}

/** Adds people, each with a consent record and a sent email. One in a hundred is past the retention period. */
async function seed(store: Store, people: number): Promise<void> {
  const [now, old] = [new Date().toISOString(), '2020-01-01T00:00:00.000Z'];
  const makeId = (first: string) => sql.raw(`'${first}-0000-7000-8000-' || (100000000000 + number)`);
  const numbers = sql.raw(
    `with recursive numbers (number) as (select 0 union all select number + 1 from numbers where number < ${people - 1})`,
  );
  const address = sql.raw(`'reader' || number || '@example.org'`);
  const inserts = [
    sql`insert into consent_wordings (version, wording) values ('bench', 'I agree.')`,
    sql`insert into subscribers (id, email, normalised_email, mailbox_hash, role, first_source, state, created_at, state_changed_at, engaged_at)
      ${numbers} select ${makeId('01900000')}, ${address}, ${address}, ${address}, 'Founder', 'Footer', 'subscribed', ${now}, ${now},
      case when number % 100 = 3 then ${old} else ${now} end from numbers`,
    sql`insert into consent_records (id, subscriber_id, event, wording_version, form, source, at)
      ${numbers} select ${makeId('01900001')}, ${makeId('01900000')}, 'given', 'bench', 'Footer', 'Footer', ${now} from numbers`,
    sql`insert into deliveries (id, kind, subscriber_id, details, state, attempts, interruptions, queued_at, due_at, give_up_at, finished_at)
      ${numbers} select ${makeId('01900002')}, 'welcome', ${makeId('01900000')}, '{}', 'sent', 1, 0, ${now}, ${now}, ${now}, ${now} from numbers`,
  ];
  for (const insert of inserts) await insert.execute(store.db);
  if (store.kind === 'postgres') await sql`analyze`.execute(store.db);
}

async function runMeasured(variables: Record<string, string>, args: string[]) {
  const begun = performance.now();
  const env = { PATH: process.env.PATH, SETTINGS_FILE: '', ...variables };
  const child = spawn(process.execPath, [SUBSCRIBERS, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  let megabytes = '';
  while (child.exitCode === null && child.signalCode === null) {
    megabytes = readPeakMegabytes(child.pid!) || megabytes;
    await Promise.race([ended, pause(50)]);
  }
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} exited with ${child.exitCode}`);
  return { seconds: (performance.now() - begun) / 1000, megabytes };
}

/** Reads the peak memory of a process in MB; returns an empty string if it has ended. */
function readPeakMegabytes(pid: number): string {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? '' : (Number(kilobytes) / 1024).toFixed(0);
  } catch {
    return '';
  }
}

/** @returns the longest wait, in milliseconds, of a client that alternately reads a page and signs up */
async function watchClient(url: string, work: () => Promise<unknown>): Promise<number> {
  const watch = { isDone: false, longest: 0 };
  const watching = (async () => {
    for (let number = 0; !watch.isDone; number += 1) {
      const body = JSON.stringify({ email: `client${number}.${Date.now()}@example.org`, source: 'Footer' });
      const headers = { 'Content-Type': 'application/json', 'X-Client': `10.0.${number >> 8}.${number & 255}` };
      const begun = performance.now();
      const response = await (number % 2
        ? fetch(url)
        : fetch(`${url}/api/newsletter`, { method: 'POST', headers, body }));
      await response.text();
      watch.longest = Math.max(watch.longest, performance.now() - begun);
      await pause(10);
    }
  })();
  await work().finally(() => (watch.isDone = true));
  await watching;
  return watch.longest;
}
