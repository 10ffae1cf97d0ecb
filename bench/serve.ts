/**
 * `npm run bench:serve`: requests a second for the home page at 64 connections, in turns with sirv on the same
 * compressed files.
 */
import { join } from 'node:path';
import { markdownTable, median } from './report.ts';
import { BUILD, type Running, serveStatic, startServer } from './server.ts';
import { load } from './wrk.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ROUNDS = 5;

await using site = await startServer();
await using sirv = await serveStatic(join(BUILD, 'site'));
const rows = [await measureServing([site, sirv], 'br'), await measureServing([site, sirv], 'gzip')];
console.log(markdownTable([['requests a second', 'site', 'sirv'], ...rows]));

async function measureServing(servers: Running[], encoding: string): Promise<string[]> {
  const rates = servers.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [place, { url }] of servers.entries()) rates[place]!.push(await ask(url, encoding, 3));
  }
  // In the first round code is compiled.
  const [own, ...others] = rates.map(([, ...counted]) => median(counted)!) as [number, ...number[]];
  return [encoding, own.toFixed(0), ...others.map((other) => `${other.toFixed(0)} (×${(own / other).toFixed(2)})`)];
}

/** Asks as a browser does, since the site counts its visits. */
function ask(url: string, encoding: string, seconds: number): Promise<number> {
  const headers = [`Accept-Encoding: ${encoding}`, `User-Agent: ${BROWSER}`];
  const args = headers.flatMap((header) => ['-H', header]);
  return load(`${url}/`, 64, seconds, args);
}
