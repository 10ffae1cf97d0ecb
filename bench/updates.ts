/**
 * `npm run bench:updates`: an update to 100,000 subscribers, in SQLite and in PostgreSQL, to a mail server on loopback:
 * how long queueing takes, mails a second beside a bare loop of pooled nodemailer with the same mails over as many
 * connections in the same run, and the server's memory; then sign-ups a second while an update goes out, beside their
 * usual rate. `-- --people N` changes the number; `DATABASE_URL` names an empty PostgreSQL database.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { openStore, type Store } from '../src/receiver/store/open-store.ts';
import { queueUpdate } from '../src/receiver/updates/queue-update.ts';
import { startServer } from './server.ts';
import { load } from './wrk.ts';

const CONNECTIONS = 2;
const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);

const root = fileURLToPath(new URL('..', import.meta.url));
const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
// Beside the real data, so that it is the disk that a server would use.
mkdirSync(join(root, 'data'), { recursive: true });
const folder = mkdtempSync(join(root, 'data', 'bench-'));
const template = {
  subject: 'What enterprise AEs earned',
  html: `<html><body>${'<p>Base pay has stood still; the second offer decides.</p>'.repeat(150)}<a href="https://unsubscribe.invalid/">Unsubscribe</a></body></html>`,
  text: `${'Base pay has stood still; the second offer decides.\n'.repeat(150)}https://unsubscribe.invalid/\n`,
};
const DATABASE_URL = process.env.DATABASE_URL;

try {
  console.log('| store | servers | queued, s | mails a second | bare loop | ratio | MB at half | MB at the end |');
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  await measure('SQLite', 1, { DATA_DIR: join(folder, 'list') });
  if (DATABASE_URL !== undefined) {
    for (const servers of [1, 2]) await measure('PostgreSQL', servers, { DATA_DIR: folder, DATABASE_URL });
  }
  const { usual, meanwhile } = await signUps({ DATA_DIR: join(folder, 'sign-ups') });
  const ratio = (meanwhile / usual).toFixed(2);
  console.log(
    `\nSign-ups a second, 16 connections: ${usual.toFixed(0)}; while an update goes out ${meanwhile.toFixed(0)}: ${ratio}.`,
  );
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, ${people} subscribers, ${CONNECTIONS} connections a server.`,
  );
  if (DATABASE_URL === undefined) console.log('PostgreSQL was left out: DATABASE_URL names no empty database.');
} finally {
  rmSync(folder, { recursive: true });
}

type Place = { DATA_DIR: string; DATABASE_URL?: string };

async function measure(name: string, servers: number, place: Place): Promise<void> {
  const sink = await startSink();
  const store = await openStore({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
  try {
    const queued = await queue(store, people);
    const { perSecond, memory, memoryAtHalf } = await sendAll(store, servers, sink, place);
    const bare = await bareLoop(sink);
    const figures = [queued.toFixed(1), perSecond.toFixed(0), bare.toFixed(0), (perSecond / bare).toFixed(2)];
    console.log(`| ${[name, servers, ...figures, memoryAtHalf.toFixed(0), memory.toFixed(0)].join(' | ')} |`);
    for (const table of ['updates', 'deliveries', 'mail_slots', 'subscribers'] as const) {
      await store.db.deleteFrom(table).execute();
    }
  } finally {
    await store.close();
    sink.stop();
  }
}

/** Fills an empty store, and queues an update for everybody in it. @returns how long the queueing took, in seconds */
async function queue(store: Store, count: number): Promise<number> {
  const known = await store.db.selectFrom('subscribers').select('id').limit(1).execute();
  if (known.length > 0) throw new Error(`Expected an empty database, but ${store.place} has subscribers`);
  const at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  await sql`
    insert into subscribers
      (id, address, normalised_address, role, first_source, state, created_at, state_changed_at, engaged_at, mail_queued_at)
    with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < ${sql.lit(count - 1)})
    select '018f0000-0000-7000-8000-' || (100000000000 + number), 'reader' || number || '@example.org',
      'reader' || number || '@example.org', '', 'Footer', 'subscribed', ${at}, ${at}, ${at}, ${at} from numbers
  `.execute(store.db);
  const now = Date.now();
  const update = {
    file: 'bench.md',
    contentHash: 'bench',
    template,
    hourlyCap: 1_000_000,
    expected: count,
    sendAt: now,
  };
  const started = performance.now();
  await queueUpdate(store, update, now);
  return (performance.now() - started) / 1000;
}

type Sink = { url: string; taken: () => Promise<number>; stop: () => void };

/** The mail server is a process of its own, so that its work is not the sender's. */
async function startSink(): Promise<Sink> {
  const child = spawn(process.execPath, [fileHere('./mail-sink.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = (await lines.next()).value;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken: async () => {
      child.stdin.write('count\n');
      return Number((await lines.next()).value);
    },
    stop: () => child.kill(),
  };
}

function start(sink: Sink, place: Place) {
  return startServer(join(root, 'dist'), folder, {
    ...place,
    SMTP_URL: sink.url,
    MAIL_HOURLY_CAP: '1000000',
    MAIL_CONCURRENCY: String(CONNECTIONS),
    SIGNING_SECRET: 'a secret for the bench, long enough',
  });
}

async function sendAll(store: Store, count: number, sink: Sink, place: Place) {
  const servers = await Promise.all(Array.from({ length: count }, () => start(sink, place)));
  const memory = () => Math.max(...servers.map(({ pid }) => residentMegabytes(pid)));
  let first = 0;
  while (first === 0) first = await sink.taken();
  const started = performance.now();
  let memoryAtHalf = 0;
  for (let taken = first; taken < people; taken = await sink.taken()) {
    if (memoryAtHalf === 0 && taken > people / 2) memoryAtHalf = memory();
    await pause(50);
  }
  const perSecond = (people - first) / ((performance.now() - started) / 1000);
  const atEnd = memory();
  for (const { stop } of servers) await stop();
  const surplus = (await sink.taken()) - people;
  if (surplus !== 0) throw new Error(`${surplus} mails more than subscribers`);
  const open = await store.db.selectFrom('deliveries').select('id').where('state', '!=', 'sent').execute();
  if (open.length > 0) throw new Error(`${open.length} deliveries are not recorded as sent`);
  return { perSecond, memory: atEnd, memoryAtHalf };
}

/** The same mails by pooled nodemailer over as many connections, and nothing else. */
async function bareLoop(sink: Sink): Promise<number> {
  const transport = createTransport({ url: sink.url, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity });
  const total = Math.min(people, 20_000);
  let next = 0;
  const lane = async () => {
    while (next < total) {
      const number = next;
      next += 1;
      const link = `https://www.example.org/newsletter/unsubscribe/${number}`;
      await transport.sendMail({
        from: { name: 'Larkfield', address: 'hello@larkfield.example' },
        to: { name: '', address: `reader${number}@example.org` },
        subject: template.subject,
        text: template.text.replaceAll('https://unsubscribe.invalid/', link),
        html: template.html.replaceAll('https://unsubscribe.invalid/', link),
        headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  transport.close();
  return total / ((performance.now() - started) / 1000);
}

/** Sign-ups a second on a server that has nothing else to do, and on one that sends an update. */
async function signUps(place: Place): Promise<{ usual: number; meanwhile: number }> {
  const post = (url: string) =>
    load(url, { connections: 16, seconds: 3, args: ['-s', fileHere('./sign-up.lua')], given: ['person'] }).perSecond;
  const idle = await startServer(join(root, 'dist'), folder);
  const usual = post(idle.url);
  await idle.stop();

  const sink = await startSink();
  const store = await openStore({ databaseUrl: undefined, dataDir: place.DATA_DIR });
  await queue(store, 10_000);
  const busy = await start(sink, place);
  while ((await sink.taken()) < 100) await pause(10);
  const meanwhile = post(busy.url);
  const waiting = await store.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute();
  if (waiting.length === 0) throw new Error('All mails had gone out before the sign-ups ended');
  await store.close();
  await busy.stop();
  sink.stop();
  return { usual, meanwhile };
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
