/**
 * `npm run bench:serve`: requests a second for the home page at 64 connections, beside nginx with the same compressed
 * files, in turns; the memory the server holds; and where its time goes. `-- --seconds N` loads each for longer.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSite } from '../test/running-site.ts';
import { type Profile, timeByPart } from './cpu-profile.ts';
import { median } from './metrics.ts';
import { startNginx } from './nginx.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const seconds = Number(options.seconds);

const build = fileURLToPath(new URL('../dist', import.meta.url));
const results = fileURLToPath(new URL('../docs/performance/serve.json', import.meta.url));
const figures = [];
for (const encoding of ['br', 'gzip']) {
  const site = await startSite({ build });
  const nginx = await startNginx(join(build, 'site'));
  try {
    // The compiler has seen the code before the first round counts.
    load(site.url, encoding);
    const rounds = Array.from({ length: ROUNDS }, () => ({
      site: load(site.url, encoding),
      nginx: load(nginx.url, encoding),
    }));
    figures.push({
      encoding,
      site: { ...middle(rounds.map((round) => round.site)), ...megabytesOf(site.pid) },
      nginx: middle(rounds.map((round) => round.nginx)),
    });
  } finally {
    await nginx.stop();
    await site.stop();
  }
}

const shares = await profile();
for (const { encoding, site, nginx } of figures) {
  console.log(`${encoding.padEnd(4)}  site  ${rate(site)}  ${site.megabytes} MB, ${site.megabytesAtMost} MB at most`);
  console.log(
    `      nginx ${rate(nginx)}  site ×${(site.requestsPerSecond / nginx.requestsPerSecond).toFixed(2)} of nginx`,
  );
}
console.log('\nWhere the server spends its time:');
for (const [part, share] of shares) console.log(`  ${(100 * share).toFixed(0).padStart(3)}%  ${part}`);
writeFileSync(
  results,
  `${JSON.stringify({ connections: CONNECTIONS, rounds: ROUNDS, seconds, figures, shares }, undefined, 2)}\n`,
);

type Load = { requestsPerSecond: number; p99: number };

/** @returns the 99th percentile of the latency in milliseconds */
function load(url: string, encoding: string): Load {
  const command = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '--latency',
    '-H',
    `Accept-Encoding: ${encoding}`,
    `${url}/`,
  ];
  const report = execFileSync('wrk', command, { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  const [, latency, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(report) ?? [];
  const p99 = Number(latency) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  return { requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]), p99 };
}

function middle(rounds: Load[]): Load {
  return {
    requestsPerSecond: Math.round(median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))),
    p99: median(rounds.map(({ p99 }) => p99)),
  };
}

function rate({ requestsPerSecond, p99 }: Load): string {
  return `${String(requestsPerSecond).padStart(7)} requests/s, p99 ${p99.toFixed(1).padStart(5)} ms`;
}

function megabytesOf(pid: number): { megabytes: number; megabytesAtMost: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000);
  return { megabytes: field('VmRSS'), megabytesAtMost: field('VmHWM') };
}

async function profile(): Promise<[string, number][]> {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  const site = await startSite({ build, env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } });
  load(site.url, 'br');
  await site.stop();
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error('The server left no profile');
  const recorded: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  rmSync(folder, { recursive: true });
  return timeByPart(recorded);
}
