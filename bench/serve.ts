/**
 * `npm run bench:serve`: requests a second for the home page at 64 connections, in turns with the same server counting
 * no visits, with nginx and with sirv on the same compressed files, and the memory that the server holds.
 * `-- --seconds N` loads each for longer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNginx } from './nginx.ts';
import { median, serveStatic, startServer } from './server.ts';
import { type Load, load } from './wrk.ts';

type Rate = { perSecond: number; p99: number };

const CONNECTIONS = 64;
const ROUNDS = 5;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const seconds = Number(options.seconds);
if (!Number.isInteger(seconds) || seconds < 1) throw new Error('--seconds: expected a whole number');

const build = fileURLToPath(new URL('../dist', import.meta.url));
const site = await startServer(build);
const uncounted = await startServer(build, undefined, { COUNT_VISITS: 'false' });
const nginx = await startNginx(join(build, 'site'));
const sirv = await serveStatic(join(build, 'site'));
const servers = { site, uncounted, nginx, sirv };
const NAMES = Object.keys(servers) as (keyof typeof servers)[];
const figures = [];
try {
  for (const encoding of ['br', 'gzip']) {
    const rates: Record<keyof typeof servers, Load[]> = { site: [], uncounted: [], nginx: [], sirv: [] };
    // The compiler has seen the code before the first round counts.
    for (const name of NAMES) ask(servers[name].url, encoding);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of NAMES) rates[name].push(ask(servers[name].url, encoding));
    }
    figures.push({
      encoding,
      site: { ...middle(rates.site), megabytes: megabytesOf(site.pid) },
      uncounted: middle(rates.uncounted),
      nginx: middle(rates.nginx),
      sirv: middle(rates.sirv),
    });
  }
} finally {
  for (const { stop } of Object.values(servers)) await stop();
}

console.log(`| | site | without counting | nginx, one worker | sirv | site's memory |\n|---|---|---|---|---|---|`);
for (const { encoding, site: ours, ...others } of figures) {
  const beside = (other: Rate) => `${show(other)} (×${(ours.perSecond / other.perSecond).toFixed(2)})`;
  const rest = [others.uncounted, others.nginx, others.sirv].map(beside).join(' | ');
  console.log(`| ${encoding} | ${show(ours)} | ${rest} | ${ours.megabytes} MB at most |`);
}
const results = new URL('../docs/performance/serve.json', import.meta.url);
writeFileSync(
  results,
  `${JSON.stringify({ connections: CONNECTIONS, rounds: ROUNDS, seconds, figures }, undefined, 2)}\n`,
);

function ask(url: string, encoding: string): Load {
  // As a browser, since the site counts its visits.
  const args = ['-H', `Accept-Encoding: ${encoding}`, '-H', `User-Agent: ${BROWSER}`];
  return load(`${url}/`, { connections: CONNECTIONS, seconds, args });
}

function middle(loads: Load[]): Rate {
  return {
    perSecond: Math.round(median(loads.map((each) => each.perSecond))),
    p99: median(loads.map(({ p99 }) => p99)),
  };
}

function show({ perSecond, p99 }: Rate): string {
  return `${perSecond} requests/s, p99 ${p99.toFixed(1)} ms`;
}

/** The most that a process has held at one time. */
function megabytesOf(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);
}
