/**
 * `npm run bench:receiver`: sign-ups a second through the built server over HTTP, each answered after its commit is on
 * disk, beside the same number of single-row durable commits on the same disk in the same run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** How many connections, and how many sign-ups are measured over them. */
const LOADS = [
  { connections: 1, signUps: 5000 },
  { connections: 16, signUps: 20_000 },
  { connections: 64, signUps: 20_000 },
];
/** Go before what is measured: meanwhile code is compiled, and mails go out until the hour's cap is reached. */
const WARM_UP = 10_000;
const ROUNDS = 3;
const STATUS = 'HTTP/1.1 200';

type Figures = { perSecond: number; p50: number; p99: number };

const server = join(root, 'dist/server/main.js');
if (!existsSync(server)) throw new Error('There is no build to measure: npm run build');
mkdirSync(join(root, 'data'), { recursive: true });
// Beside the real data, so that it is the disk that a server would use.
const folder = mkdtempSync(join(root, 'data', 'bench-'));
try {
  const measured: { connections: number; baseline: number; receiver: Figures }[] = [];
  for (const { connections, signUps } of LOADS) {
    const rounds: { baseline: number; receiver: Figures }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = join(folder, `${connections}-${round}`);
      rounds.push({
        baseline: measureBaseline(place, signUps),
        receiver: await measureReceiver(place, connections, signUps),
      });
    }
    // The middle one of the rounds, by what the receiver did.
    const [, middle] = rounds.toSorted((a, b) => a.receiver.perSecond - b.receiver.perSecond);
    if (middle) measured.push({ connections, ...middle });
  }
  report(measured);
} finally {
  rmSync(folder, { recursive: true });
}

/** Single-row durable commits, one after the other, into a table that holds each address once and nothing else. */
function measureBaseline(place: string, rows: number): number {
  mkdirSync(place, { recursive: true });
  const database = new DatabaseSync(join(place, 'baseline.db'));
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table sign_ups (email text primary key, role text, source text, at text)',
  );
  const insert = database.prepare('insert into sign_ups values (?, ?, ?, ?)');
  const started = performance.now();
  for (let row = 0; row < rows; row += 1)
    insert.run(`person${row}@example.org`, '', 'Footer', '2026-01-01T00:00:00.000Z');
  const perSecond = rows / ((performance.now() - started) / 1000);
  database.close();
  return perSecond;
}

async function measureReceiver(place: string, connections: number, signUps: number): Promise<Figures> {
  const child = spawn(process.execPath, [...SERVER_FLAGS, server], {
    // The rate limit counts each of these visitors alone; the cap on mails stands as it does by default.
    env: { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(place, 'data'), TRUSTED_PROXY_HEADER: 'X-Client' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await portOf(child.stdout);
    await signUpMany(port, 16, WARM_UP, 'early');
    const started = performance.now();
    const waits = await signUpMany(port, connections, signUps, 'person');
    const perSecond = signUps / ((performance.now() - started) / 1000);
    countStored(join(place, 'data'), WARM_UP + signUps);
    waits.sort((a, b) => a - b);
    const percentile = (share: number) => waits[Math.floor(waits.length * share)] ?? NaN;
    return { perSecond, p50: percentile(0.5), p99: percentile(0.99) };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function portOf(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const port = /^Site: +http:\/\/[^:]+:(\d+)$/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error('The server ended before it listened');
}

/** @returns how long each sign-up waited for its answer, in milliseconds */
async function signUpMany(port: number, connections: number, count: number, prefix: string): Promise<Float64Array> {
  const waits = new Float64Array(count);
  let next = 0;
  const connection = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    await new Promise<void>((resolve, reject) => {
      let asked = 0;
      let index = 0;
      const ask = () => {
        if (next === count) {
          resolve();
          return;
        }
        index = next;
        next += 1;
        asked = performance.now();
        socket.write(request(index, prefix));
      };
      socket.on('data', (answer) => {
        if (answer.toString('latin1', 0, STATUS.length) !== STATUS) {
          reject(new Error(`A sign-up was refused: ${answer.toString().slice(0, 80)}`));
          return;
        }
        waits[index] = performance.now() - asked;
        ask();
      });
      socket.on('error', reject);
      ask();
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return waits;
}

/** Plain HTTP for a socket: an HTTP client would take more of the machine than the server that is measured. */
function request(index: number, prefix: string): string {
  const body = `{"email":"${prefix}${index}@example.org","name":"","role":"","source":"Footer"}`;
  const client = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  return `POST /api/newsletter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Client: ${client}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function countStored(dataDir: string, expected: number): void {
  const database = new DatabaseSync(join(dataDir, 'sign-ups.db'), { readOnly: true });
  const { count } = database.prepare('select count(*) as count from subscribers').get() as { count: number };
  database.close();
  if (count !== expected) throw new Error(`${expected} sign-ups were answered, ${count} are stored`);
}

function report(measured: { connections: number; baseline: number; receiver: Figures }[]): void {
  const rows = measured.map(({ connections, baseline, receiver }) => [
    String(connections),
    receiver.perSecond.toFixed(0),
    receiver.p50.toFixed(2),
    receiver.p99.toFixed(2),
    baseline.toFixed(0),
    (receiver.perSecond / baseline).toFixed(2),
  ]);
  const lines = [
    `| connections | sign-ups a second | p50, ms | p99, ms | single-row commits a second | ratio |`,
    '|---:|---:|---:|---:|---:|---:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
  console.log(lines.join('\n'));
  console.log(
    `\nNode ${process.versions.node}, ${cpus().length} cores, the load made on the same machine; the middle of ${ROUNDS} rounds.`,
  );
}
