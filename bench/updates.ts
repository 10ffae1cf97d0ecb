/**
 * `npm run bench:updates`: an update to 100,000 subscribers, in SQLite and in PostgreSQL, to a mail server on loopback:
 * how long queueing takes, mails a second beside a bare loop of pooled nodemailer with the same mails over as many
 * connections in the same run, and the server's memory; then sign-ups a second while an update goes out, beside their
 * usual rate. `-- --people N` changes the number; `DATABASE_URL` names an empty PostgreSQL database.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { openStore, type Store } from '../src/store/open-store.ts';
import { queueUpdate } from '../src/mail/updates/queue-update.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { markdownTable, numberOption } from './report.ts';
import { dataFolder, startServer } from './server.ts';
import { postSignUps } from './wrk.ts';

const CONNECTIONS = 2;
const LINK = 'https://unsubscribe.invalid/';
const SENTENCES = 'Base pay has stood still; the second offer decides.\n'.repeat(150);
const TEMPLATE = {
  subject: 'What enterprise AEs earned',
  html: `<html><body>${SENTENCES.replace(/(.*)\n/g, '<p>$1</p>')}<a href="${LINK}">Unsubscribe</a></body></html>`,
  text: `${SENTENCES}${LINK}\n`,
};
const people = numberOption('people', 100_000);
const { DATABASE_URL } = process.env;

const rows = [['store', 'servers', 'queued, s', 'mails a second', 'bare loop', 'ratio', 'MB at half', 'MB at the end']];
rows.push(['SQLite', ...(await measure(1))]);
if (DATABASE_URL === undefined) console.log('PostgreSQL is left out: DATABASE_URL names no empty database.');
else for (const servers of [1, 2]) rows.push(['PostgreSQL', ...(await measure(servers, DATABASE_URL))]);
console.log(`${markdownTable(rows)}\n\n${await signUps()}`);

async function measure(count: number, databaseUrl?: string): Promise<string[]> {
  await using running = new AsyncDisposableStack();
  const { store, sink, queued, startSender } = await queueFor(people, running, databaseUrl);
  const servers = await Promise.all(Array.from({ length: count }, startSender));
  const memory = () => Math.max(...servers.map(megabytesOf)).toFixed(0);
  while (sink.taken() === 0) await pause(1);
  const [first, started] = [sink.taken(), performance.now()];
  while (sink.taken() < people / 2) await pause(50);
  const atHalf = memory();
  while (sink.taken() < people) await pause(50);
  const perSecond = ((people - first) * 1000) / (performance.now() - started);
  const atEnd = memory();
  for (const server of servers) await server[Symbol.asyncDispose]();
  const bare = await bareLoop(sink);
  for (const table of ['updates', 'deliveries', 'sent_mails', 'subscribers'] as const) {
    await store.db.deleteFrom(table).execute();
  }
  const rates = [perSecond.toFixed(0), bare.toFixed(0), (perSecond / bare).toFixed(2)];
  return [`${count}`, queued.toFixed(1), ...rates, atHalf, atEnd];
}

/** An update to everybody in a new store, and what sends it. @returns how long queueing took, in seconds */
async function queueFor(expected: number, running: AsyncDisposableStack, databaseUrl?: string) {
  const { path: dataDir } = running.use(await dataFolder());
  const sink = running.use(await startMailSink());
  const store = await openStore({ databaseUrl, dataDir });
  running.defer(store.close);
  await addSubscribers(store, expected);
  const now = Date.now();
  const update = { file: 'bench.md', contentHash: 'bench', template: TEMPLATE, hourlyCap: 1_000_000 };
  await queueUpdate(store, { ...update, expected, sendAt: now }, now);
  const queued = (Date.now() - now) / 1000;
  const variables = {
    DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    SMTP_URL: sink.url,
    MAIL_HOURLY_CAP: '1000000',
    MAIL_CONCURRENCY: String(CONNECTIONS),
    SIGNING_SECRET: 'a secret for the bench, long enough',
  };
  return { store, sink, queued, startSender: () => startServer(undefined, variables) };
}

async function addSubscribers({ db, place }: Store, count: number): Promise<void> {
  const known = await db.selectFrom('subscribers').select('id').limit(1).execute();
  if (known.length > 0) throw new Error(`DATABASE_URL: expected an empty database, but ${place} has subscribers`);
  const at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  await sql`
    insert into subscribers
      (id, address, normalised_address, role, first_source, state, created_at, state_changed_at, engaged_at)
    with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < ${sql.lit(count - 1)})
    select '018f0000-0000-7000-8000-' || (100000000000 + number), 'reader' || number || '@example.org',
      'reader' || number || '@example.org', '', 'Footer', 'subscribed', ${at}, ${at}, ${at} from numbers
  `.execute(db);
}

function megabytesOf({ pid }: { pid: number }): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The same mails by pooled nodemailer over as many connections, and nothing else. @returns mails a second */
async function bareLoop(sink: MailSink): Promise<number> {
  const transport = createTransport({ url: sink.url, pool: true, maxConnections: CONNECTIONS, maxMessages: Infinity });
  const total = Math.min(people, 20_000);
  const numbers = Array(total).keys();
  const send = async () => {
    for (const number of numbers) {
      const link = `https://www.example.org/newsletter/unsubscribe/${number}`;
      await transport.sendMail({
        from: 'Larkfield <hello@larkfield.example>',
        to: `reader${number}@example.org`,
        subject: TEMPLATE.subject,
        text: TEMPLATE.text.replaceAll(LINK, link),
        html: TEMPLATE.html.replaceAll(LINK, link),
        list: { unsubscribe: link },
      });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  transport.close();
  return (total * 1000) / (performance.now() - started);
}

/** Sign-ups a second on a server that has nothing else to do, and on one that sends an update. */
async function signUps(): Promise<string> {
  await using running = new AsyncDisposableStack();
  const idle = running.use(await startServer());
  const usual = await postSignUps(idle.url, 16);
  const { store, sink, startSender } = await queueFor(10_000, running);
  const busy = running.use(await startSender());
  while (sink.taken() < 100) await pause(10);
  const meanwhile = await postSignUps(busy.url, 16);
  const waiting = await store.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute();
  if (waiting.length === 0) throw new Error('All mails had gone out before the sign-ups ended');
  const [before, during, ratio] = [usual.toFixed(0), meanwhile.toFixed(0), (meanwhile / usual).toFixed(2)];
  return `Sign-ups a second, 16 connections: ${before}; while an update goes out ${during}: ${ratio}.`;
}
