/**
 * `npm run bench:receiver`: sign-ups a second over HTTP through the built server, each answered after its commit is on
 * disk, beside posts to the same server that fill the decoy field, which are answered alike and not stored.
 */
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { median, startServer } from './server.ts';
import { type Load, load } from './wrk.ts';

const SECONDS = 3;
const ROUNDS = 3;

const root = fileURLToPath(new URL('..', import.meta.url));
const script = fileURLToPath(new URL('./sign-up.lua', import.meta.url));
// Beside the real data, so that it is the disk that a server would use.
const place = join(root, 'data');
mkdirSync(place, { recursive: true });

console.log('| connections | sign-ups a second | p50, ms | p99, ms | decoys a second | ratio |');
console.log('|---:|---:|---:|---:|---:|---:|');
for (const connections of [1, 16, 64]) {
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(connections));
  const middle = (figure: keyof Load) => median(rounds.map(({ stored }) => stored[figure]));
  const decoys = median(rounds.map(({ decoy }) => decoy.perSecond));
  const [stored, p50, p99] = [middle('perSecond'), middle('p50'), middle('p99')];
  const figures = [stored.toFixed(0), p50.toFixed(2), p99.toFixed(2), decoys.toFixed(0), (stored / decoys).toFixed(2)];
  console.log(`| ${connections} | ${figures.join(' | ')} |`);
}
console.log(
  `\nNode ${process.versions.node}, ${cpus().length} cores, the load made on the same machine, ${ROUNDS} rounds.`,
);

async function measure(connections: number): Promise<{ stored: Load; decoy: Load }> {
  const { url, dataDir, stop } = await startServer(join(root, 'dist'), place);
  const post = (...given: string[]) => load(url, { connections, seconds: SECONDS, args: ['-s', script], given });
  try {
    // Meanwhile code is compiled, and mails go out until the hour's cap is reached.
    const early = post('early');
    const stored = post('person');
    const decoy = post('decoy', 'A robot');
    const least = early.answered + stored.answered;
    const { count, decoys } = countStored(dataDir);
    if (count < least || decoys > 0) throw new Error(`${least} were answered; stored: ${count}, decoys: ${decoys}`);
    return { stored, decoy };
  } finally {
    await stop();
  }
}

function countStored(dataDir: string): { count: number; decoys: number } {
  const database = new DatabaseSync(join(dataDir, 'sign-ups.db'), { readOnly: true });
  const sql = `select count(*) as count, count(*) filter (where address like 'decoy%') as decoys from subscribers`;
  const row = database.prepare(sql).get() as { count: number; decoys: number };
  database.close();
  return row;
}
