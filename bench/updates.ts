/**
 * `npm run bench:updates`: an update to 100,000 subscribers, in SQLite and in PostgreSQL, to a mail server on loopback:
 * how long queueing takes, mails a second beside a bare loop of pooled nodemailer with the same mails over as many
 * connections in the same run, and the server's memory. With PostgreSQL (`DATABASE_URL` names an empty database), the
 * same once more with two servers. `-- --people N` changes the number.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { openStore, type Store } from '../src/receiver/store/open-store.ts';
import { insertRows } from '../src/receiver/store/insert-rows.ts';
import type { Subscriber } from '../src/receiver/store/schema.ts';
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs';
import { queueUpdate } from '../src/receiver/updates/queue-update.ts';

const CONNECTIONS = 2;
const { values } = parseArgs({ options: { people: { type: 'string', default: '100000' } } });
const people = Number(values.people);

const root = fileURLToPath(new URL('..', import.meta.url));
const sinkFile = fileURLToPath(new URL('./mail-sink.ts', import.meta.url));
// Beside the real data, so that it is the disk that a server would use.
mkdirSync(join(root, 'data'), { recursive: true });
const folder = mkdtempSync(join(root, 'data', 'bench-'));
const template = {
  subject: 'What enterprise AEs earned',
  html: `<html><body>${'<p>Base pay has stood still; the second offer decides.</p>'.repeat(150)}<a href="https://unsubscribe.invalid/">Unsubscribe</a></body></html>`,
  text: `${'Base pay has stood still; the second offer decides.\n'.repeat(150)}https://unsubscribe.invalid/\n`,
};

type Figures = { queued: number; perSecond: number; bare: number; memory: number; memoryAtHalf: number };

try {
  console.log(
    '| store | servers | queued in, s | mails a second | bare loop | ratio | memory at half, MB | at the end, MB |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  report('SQLite', 1, await measure(1, undefined));
  const databaseUrl = process.env.DATABASE_URL;
  if (databaseUrl === undefined) console.log('\nPostgreSQL was left out: DATABASE_URL names no empty database.');
  else for (const servers of [1, 2]) report('PostgreSQL', servers, await measure(servers, databaseUrl));
  console.log(
    `\nNode ${process.versions.node}, ${cpus().length} cores, ${people} subscribers, ${CONNECTIONS} connections a server.`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(servers: number, databaseUrl: string | undefined): Promise<Figures> {
  const dataDir = join(folder, `data-${servers}-${databaseUrl === undefined ? 'sqlite' : 'postgres'}`);
  const sink = await startSink();
  const store = await openStore({ databaseUrl, dataDir });
  try {
    await empty(store);
    await seed(store);
    const started = performance.now();
    const now = Date.now();
    const update = { file: 'bench.md', contentHash: 'bench', template, hourlyCap: 1_000_000 };
    await queueUpdate(store, { ...update, expected: people, sendAt: now }, now);
    const queued = (performance.now() - started) / 1000;
    const sent = await sendAll(store, servers, { sink, dataDir, databaseUrl });
    return { queued, ...sent, bare: await bareLoop(sink) };
  } finally {
    await store.close();
    sink.stop();
  }
}

type Sink = { url: string; taken: () => Promise<number>; stop: () => void };

/** The mail server is a process of its own, so that its work is not the sender's. */
async function startSink(): Promise<Sink> {
  const child = spawn(process.execPath, [sinkFile], { stdio: ['pipe', 'pipe', 'inherit'] });
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

async function sendAll(
  store: Store,
  servers: number,
  { sink, dataDir, databaseUrl }: { sink: Sink; dataDir: string; databaseUrl: string | undefined },
): Promise<Pick<Figures, 'perSecond' | 'memory' | 'memoryAtHalf'>> {
  const before = await sink.taken();
  const children = Array.from({ length: servers }, () =>
    spawn(process.execPath, [...SERVER_FLAGS, join(root, 'dist/server/main.js')], {
      env: {
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        SMTP_URL: sink.url,
        MAIL_HOURLY_CAP: '1000000',
        MAIL_CONCURRENCY: String(CONNECTIONS),
        ...(databaseUrl && { DATABASE_URL: databaseUrl, SIGNING_SECRET: 'a secret for the bench, long enough' }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const memory = () => Math.max(...children.map(({ pid }) => residentMegabytes(pid ?? 0)));
  while ((await sink.taken()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
  const started = performance.now();
  const first = await sink.taken();
  let memoryAtHalf = 0;
  for (let taken = first; taken - before < people; taken = await sink.taken()) {
    if (memoryAtHalf === 0 && taken - before > people / 2) memoryAtHalf = memory();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const perSecond = (people - (first - before)) / ((performance.now() - started) / 1000);
  const atEnd = memory();
  for (const child of children) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  const surplus = (await sink.taken()) - before - people;
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
  const perSecond = total / ((performance.now() - started) / 1000);
  transport.close();
  return perSecond;
}

async function empty({ db }: Store): Promise<void> {
  for (const table of ['updates', 'deliveries', 'mail_slots', 'subscribers'] as const) {
    await db.deleteFrom(table).execute();
  }
}

async function seed(store: Store): Promise<void> {
  const at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  for (let start = 0; start < people; start += 500) {
    const rows = Array.from({ length: Math.min(500, people - start) }, (_, index): Subscriber => {
      const number = start + index;
      return {
        id: `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
        address: `reader${number}@example.org`,
        normalised_address: `reader${number}@example.org`,
        role: '',
        first_source: 'Footer',
        state: 'subscribed',
        undeliverable_reason: null,
        created_at: at,
        state_changed_at: at,
        engaged_at: at,
        mail_queued_at: at,
      };
    });
    await store.transaction((tx) => insertRows(store, tx, 'subscribers', rows));
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

function report(store: string, servers: number, { queued, perSecond, bare, memory, memoryAtHalf }: Figures): void {
  const figures = [queued.toFixed(1), perSecond.toFixed(0), bare.toFixed(0), (perSecond / bare).toFixed(2)];
  console.log(`| ${store} | ${servers} | ${figures.join(' | ')} | ${memoryAtHalf.toFixed(0)} | ${memory.toFixed(0)} |`);
}
