/**
 * `npm run bench:receiver`: measures sign-ups per second over HTTP through the built server, which responds once a
 * commit is on disk; then how commands perform with 1,000, 100,000 and a million people, on PostgreSQL too if
 * DATABASE_URL names an empty database.
 */
import { join } from 'node:path';
import { measureListSizes } from './list-sizes.ts';
import { formatMarkdownTable, computeMedian } from './report.ts';
import { startServer } from './server.ts';
import { load } from './wrk.ts';

const SIZES = [1000, 100_000, 1_000_000];
const { DATABASE_URL } = process.env;

console.log(formatMarkdownTable(await measureSignUps()));
const sizes = [
  ...(await measureListSizes(SIZES)),
  ...(DATABASE_URL === undefined ? [] : await measureListSizes(SIZES, DATABASE_URL)),
];
console.log(
  `\n${formatMarkdownTable([['store', 'people', 'what', 'seconds', 'peak MB', 'longest wait, ms'], ...sizes])}`,
);

async function measureSignUps(): Promise<string[][]> {
  const rows = [['connections', 'sign-ups per second']];
  for (const connections of [1, 64, 256]) {
    const rounds = [await measure(connections), await measure(connections), await measure(connections)];
    rows.push([`${connections}`, computeMedian(rounds)!.toFixed(0)]);
  }
  return rows;
}

async function measure(connections: number): Promise<number> {
  await using server = await startServer();
  const script = ['-s', join(import.meta.dirname, 'sign-up.lua')];
  // A warm-up: code is compiled, and emails are sent until the hourly cap is reached.
  await load(server.url, connections, script);
  // Awaited, since the server stops when this function returns.
  return await load(server.url, connections, script);
}
