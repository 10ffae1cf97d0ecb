/**
 * `npm run bench:updates`: an update to 100,000 subscribers, in SQLite and in PostgreSQL, to a mail server on loopback:
 * how long queueing takes, mails a second beside a bare loop of pooled nodemailer with the same mails over as many
 * connections in the same run, and the server's memory; then sign-ups a second while an update goes out, beside their
 * usual rate. `-- --people N` changes the number; `DATABASE_URL` names an empty PostgreSQL database.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { openStore, type Store } from '../src/receiver/store/open-store.ts';
import { queueUpdate } from '../src/receiver/updates/queue-update.ts';
import { dataFolder, startServer } from './server.ts';
import { markdownTable } from './table.ts';
import { postSignUps } from './wrk.ts';

const CONNECTIONS = 2;
const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);
if (!Number.isInteger(people) || people < 1) throw new Error('--people: expected a whole number');

const LINK = 'https://unsubscribe.invalid/';
const SENTENCES = 'Base pay has stood still; the second offer decides.\n'.repeat(150);
const template = {
  subject: 'What enterprise AEs earned',
  html: `<html><body>${SENTENCES.replace(/(.*)\n/g, '<p>$1</p>')}<a href="${LINK}">Unsubscribe</a></body></html>`,
  text: `${SENTENCES}${LINK}\n`,
};
const { DATABASE_URL } = process.env;

const rows = [['store', 'servers', 'queued, s', 'mails a second', 'bare loop', 'ratio', 'MB at half', 'MB at the end']];
rows.push(['SQLite', ...(await measure(1, {}))]);
if (DATABASE_URL !== undefined) {
  for (const servers of [1, 2]) rows.push(['PostgreSQL', ...(await measure(servers, { DATABASE_URL }))]);
}
console.log(markdownTable(rows));
if (DATABASE_URL === undefined) console.log('PostgreSQL was left out: DATABASE_URL names no empty database.');

console.log(await signUps());
console.log(
  `Node ${process.versions.node}, ${cpus().length} cores, ${people} subscribers, ${CONNECTIONS} connections a server.`,
);

type Database = { DATABASE_URL?: string };

async function measure(count: number, database: Database): Promise<string[]> {
  await using folder = await dataFolder();
  await using sink = await startSink();
  const place = { DATA_DIR: folder.path, ...database };
  await using store = await storeAt({ databaseUrl: database.DATABASE_URL, dataDir: folder.path });
  const queued = await queue(store, people);
  const { perSecond, atHalf, atEnd } = await sendAll(count, sink, place);
  await checkSent(store, sink);
  const bare = await bareLoop(sink);
  const rates = [perSecond.toFixed(0), bare.toFixed(0), (perSecond / bare).toFixed(2)];
  for (const table of ['updates', 'deliveries', 'mail_slots', 'subscribers'] as const) {
    await store.db.deleteFrom(table).execute();
  }
  return [`${count}`, queued.toFixed(1), ...rates, atHalf.toFixed(0), atEnd.toFixed(0)];
}

async function storeAt(place: Parameters<typeof openStore>[0]): Promise<Store & AsyncDisposable> {
  const store = await openStore(place);
  return { ...store, [Symbol.asyncDispose]: store.close };
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

type Sink = AsyncDisposable & { url: string; taken: () => number };

async function startSink(): Promise<Sink> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('mail-sink.ts', import.meta.url), { workerData: shared });
  await Atomics.waitAsync(shared, 1, 0).value;
  const stop = async () => void (await worker.terminate());
  return { url: `smtp://127.0.0.1:${shared[1]}`, taken: () => Atomics.load(shared, 0), [Symbol.asyncDispose]: stop };
}

function startSending(sink: Sink, place: Record<string, string>) {
  return startServer(undefined, {
    ...place,
    SMTP_URL: sink.url,
    MAIL_HOURLY_CAP: '1000000',
    MAIL_CONCURRENCY: String(CONNECTIONS),
    SIGNING_SECRET: 'a secret for the bench, long enough',
  });
}

/** @returns mails a second, and the megabytes of the largest server */
async function sendAll(count: number, sink: Sink, place: Record<string, string>) {
  await using running = new AsyncDisposableStack();
  const servers = await Promise.all(Array.from({ length: count }, () => startSending(sink, place)));
  for (const server of servers) running.use(server);
  const memory = () => Math.max(...servers.map(({ pid }) => residentMegabytes(pid)));
  while (sink.taken() === 0) await pause(1);
  const [started, first] = [performance.now(), sink.taken()];
  while (sink.taken() < people / 2) await pause(50);
  const atHalf = memory();
  while (sink.taken() < people) await pause(50);
  return { perSecond: (people - first) / ((performance.now() - started) / 1000), atHalf, atEnd: memory() };
}

async function checkSent(store: Store, sink: Sink): Promise<void> {
  if (sink.taken() > people) throw new Error(`${sink.taken() - people} mails more than subscribers`);
  const open = await store.db.selectFrom('deliveries').select('id').where('state', '!=', 'sent').execute();
  if (open.length > 0) throw new Error(`${open.length} deliveries are not recorded as sent`);
}

/** The same mails by pooled nodemailer over as many connections, and nothing else. @returns mails a second */
async function bareLoop(sink: Sink): Promise<number> {
  const transport = createTransport({ url: sink.url, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity });
  const total = Math.min(people, 20_000);
  const numbers = Array(total).keys();
  const send = async () => {
    for (const number of numbers) {
      const link = `https://www.example.org/newsletter/unsubscribe/${number}`;
      await transport.sendMail({
        from: { name: 'Larkfield', address: 'hello@larkfield.example' },
        to: { name: '', address: `reader${number}@example.org` },
        subject: template.subject,
        text: template.text.replaceAll(LINK, link),
        html: template.html.replaceAll(LINK, link),
        headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  transport.close();
  return total / ((performance.now() - started) / 1000);
}

/** Sign-ups a second on a server that has nothing else to do, and on one that sends an update. */
async function signUps(): Promise<string> {
  const usual = await usualSignUps();
  await using folder = await dataFolder();
  await using sink = await startSink();
  await using store = await storeAt({ databaseUrl: undefined, dataDir: folder.path });
  await queue(store, 10_000);
  await using busy = await startSending(sink, { DATA_DIR: folder.path });
  while (sink.taken() < 100) await pause(10);
  const meanwhile = postSignUps(busy.url, 16, 'person').perSecond;
  const waiting = await store.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute();
  if (waiting.length === 0) throw new Error('All mails had gone out before the sign-ups ended');
  const [before, during, ratio] = [usual.toFixed(0), meanwhile.toFixed(0), (meanwhile / usual).toFixed(2)];
  return `\nSign-ups a second, 16 connections: ${before}; while an update goes out ${during}: ${ratio}.`;
}

async function usualSignUps(): Promise<number> {
  await using server = await startServer();
  return postSignUps(server.url, 16, 'person').perSecond;
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
