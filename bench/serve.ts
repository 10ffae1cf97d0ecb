/**
 * `npm run bench:serve`: requests a second for the home page at 64 connections, in turns with nginx and with sirv on the
 * same compressed files; then what counting visits costs, on a fresh server each round. `-- --rounds N` takes another
 * number of rounds than five, which take six minutes.
 */
import { join } from 'node:path';
import { extent, median } from 'd3-array';
import { measureCounting } from './counting.ts';
import { markdownTable, numberOption } from './report.ts';
import { BUILD, type Running, serveStatic, startNginx, startServer } from './server.ts';
import { load } from './wrk.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const rounds = numberOption('rounds', 5);

{
  await using site = await startServer();
  await using nginx = await startNginx();
  await using sirv = await serveStatic(join(BUILD, 'site'));
  const rows = [await measureServing([site, nginx, sirv], 'br'), await measureServing([site, nginx, sirv], 'gzip')];
  console.log(markdownTable([['requests a second', 'site', 'nginx, one worker', 'sirv'], ...rows]));
}

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  times.push(await measureCounting((url, seconds) => ask(url, 'br', seconds)));
}
const [middle, low, high] = [median(times), ...extent(times)].map((each) => each!.toFixed(4));
console.log(`\nRequests a second, counting visits beside not counting them: ×${middle} (${low} to ${high}).`);

async function measureServing(servers: Running[], encoding: string): Promise<string[]> {
  const rates = servers.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, { url }] of servers.entries()) rates[place]!.push(await ask(url, encoding, 3));
  }
  // In the first round code is compiled.
  const [site, ...others] = rates.map(([, ...counted]) => median(counted)!) as [number, ...number[]];
  return [encoding, site.toFixed(0), ...others.map((other) => `${other.toFixed(0)} (×${(site / other).toFixed(2)})`)];
}

/** Asks as a browser does, since the site counts its visits. */
function ask(url: string, encoding: string, seconds: number): Promise<number> {
  return load(`${url}/`, 64, seconds, ['-H', `Accept-Encoding: ${encoding}`, '-H', `User-Agent: ${BROWSER}`]);
}
