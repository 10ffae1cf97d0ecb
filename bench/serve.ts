/**
 * `npm run bench:serve`: requests a second for the home page at 64 connections, in turns with nginx and with sirv on the
 * same compressed files, and the memory that the server holds; then what the counting of visits costs, in pairs of
 * servers. `-- --seconds N` loads each for longer in a round, `-- --pairs N` takes another number of pairs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from 'd3-array';
import { type Interval, measureCounting } from './counting.ts';
import { BUILD, serveStatic, startNginx, startServer } from './server.ts';
import { markdownTable } from './table.ts';
import { type Load, load } from './wrk.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, pairs: { type: 'string', default: '60' } },
});
const [seconds, pairs] = [wholeNumber('seconds'), wholeNumber('pairs')];

type Rate = { perSecond: number; p99: number };
const figures: { encoding: string; site: Rate & { megabytes: number }; nginx: Rate; sirv: Rate }[] = [];
{
  await using running = new AsyncDisposableStack();
  const site = running.use(await startServer());
  const nginx = running.use(await startNginx());
  const sirv = running.use(await serveStatic(join(BUILD, 'site')));
  for (const encoding of ['br', 'gzip']) {
    const servers = [site, nginx, sirv].map(({ url }) => ({ url, loads: [] as Load[] }));
    // The compiler has seen the code before the first round counts.
    for (const { url } of servers) ask(url, encoding, seconds);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { url, loads } of servers) loads.push(ask(url, encoding, seconds));
    }
    const [ours, nginxs, sirvs] = servers.map(({ loads }) => middle(loads)) as [Rate, Rate, Rate];
    figures.push({ encoding, site: { ...ours, megabytes: megabytesOf(site.pid) }, nginx: nginxs, sirv: sirvs });
  }
}
const rows = figures.map(({ encoding, site, nginx, sirv }) => {
  const beside = (other: Rate) => `${show(other)} (×${(site.perSecond / other.perSecond).toFixed(2)})`;
  return [encoding, show(site), beside(nginx), beside(sirv), `${site.megabytes} MB at most`];
});
console.log(markdownTable([['', 'site', 'nginx, one worker', 'sirv', "site's memory"], ...rows]));

const counting = await measureCounting(pairs, (url) => ask(url, 'br', 1).answered);
const show95 = ({ middle: times, low, high }: Interval) =>
  `×${times.toFixed(3)} (95%: ${low.toFixed(3)} to ${high.toFixed(3)})`;
console.log(`
Counting visits beside not counting them, median of ${pairs} pairs: requests a second ${show95(counting.requests)},
processor time a request ${show95(counting.processor)}.`);

const results = new URL('../docs/performance/serve.json', import.meta.url);
const record = { connections: CONNECTIONS, rounds: ROUNDS, seconds, figures, counting: { pairs, ...counting } };
writeFileSync(results, `${JSON.stringify(record, undefined, 2)}\n`);

function wholeNumber(name: 'seconds' | 'pairs'): number {
  const number = Number(options[name]);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name}: expected a whole number`);
  return number;
}

function ask(url: string, encoding: string, duration: number): Load {
  // As a browser, since the site counts its visits.
  const headers = [`Accept-Encoding: ${encoding}`, `User-Agent: ${BROWSER}`];
  return load(
    `${url}/`,
    CONNECTIONS,
    duration,
    headers.flatMap((header) => ['-H', header]),
  );
}

function middle(loads: Load[]): Rate {
  return { perSecond: Math.round(median(loads, (each) => each.perSecond)!), p99: median(loads, ({ p99 }) => p99)! };
}

function show({ perSecond, p99 }: Rate): string {
  return `${perSecond} requests/s, p99 ${p99.toFixed(1)} ms`;
}

/** The most that a process has held at one time. */
function megabytesOf(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);
}
