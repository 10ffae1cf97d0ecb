/**
 * `npm run bench:serve`: measures requests per second for the home page at 64 connections, in turn with sirv on the
 * same compressed files.
 */
import { join } from 'node:path';
import { formatMarkdownTable, computeMedian } from './report.ts';
import { BUILD, serveStatic, startServer } from './server.ts';
import { load } from './wrk.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ROUNDS = 5;

await using site = await startServer();
await using sirv = await serveStatic(join(BUILD, 'site'));
// With a browser's headers, so that the site counts a page view.
const request = ['-H', 'Accept-Encoding: br', '-H', `User-Agent: ${BROWSER}`];
const rates = { site: [] as number[], sirv: [] as number[] };
for (let round = 0; round <= ROUNDS; round += 1) {
  rates.site.push(await load(`${site.url}/`, 64, request));
  rates.sirv.push(await load(`${sirv.url}/`, 64, request));
}
// The first round is a warm-up.
const [own, other] = [computeMedian(rates.site.slice(1))!, computeMedian(rates.sirv.slice(1))!];
const cells = ['brotli', own.toFixed(0), `${other.toFixed(0)} (×${(own / other).toFixed(2)})`];
console.log(formatMarkdownTable([['requests per second', 'site', 'sirv'], cells]));
