/**
 * `npm run bench:receiver`: sign-ups a second over HTTP through the built server, each answered after its commit is on
 * disk, beside posts to the same server that fill the decoy field, which are answered alike and not stored; then what
 * 1,000, 100,000 and a million people cost. PostgreSQL is measured where DATABASE_URL names an empty database.
 */
import { measureListSizes } from './list-sizes.ts';
import { formatMarkdownTable, computeMedian } from './report.ts';
import { startServer } from './server.ts';
import { postSignUps } from './wrk.ts';

const SIZES = [1000, 100_000, 1_000_000];
const { DATABASE_URL } = process.env;

console.log(formatMarkdownTable(await measureSignUps()));
const sizes = [
  ...(await measureListSizes(SIZES)),
  ...(DATABASE_URL === undefined ? [] : await measureListSizes(SIZES, DATABASE_URL)),
];
console.log(
  `\n${formatMarkdownTable([['store', 'people', 'what', 'seconds', 'MB at most', 'longest wait, ms'], ...sizes])}`,
);

async function measureSignUps(): Promise<string[][]> {
  const rows = [['connections', 'sign-ups a second', 'decoys a second', 'ratio']];
  for (const connections of [1, 64, 256]) {
    const rounds = [await measure(connections), await measure(connections), await measure(connections)];
    const stored = computeMedian(rounds.map((round) => round.stored))!;
    const decoys = computeMedian(rounds.map((round) => round.decoys))!;
    rows.push([`${connections}`, stored.toFixed(0), decoys.toFixed(0), (stored / decoys).toFixed(2)]);
  }
  return rows;
}

async function measure(connections: number): Promise<{ stored: number; decoys: number }> {
  await using server = await startServer();
  // Code is compiled in this time, and mails go out until the hour's cap is reached.
  await postSignUps(server.url, connections, 'early');
  const stored = await postSignUps(server.url, connections);
  return { stored, decoys: await postSignUps(server.url, connections, 'robot', 'A filled field') };
}
