/**
 * `npm run bench:receiver`: sign-ups a second over HTTP through the built server, each answered after its commit is on
 * disk, beside posts to the same server that fill the decoy field, which are answered alike and not stored.
 */
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { median } from 'd3-array';
import { startServer } from './server.ts';
import { markdownTable } from './table.ts';
import { type Load, postSignUps } from './wrk.ts';

const ROUNDS = 3;

const rows = [['connections', 'sign-ups a second', 'p50, ms', 'p99, ms', 'decoys a second', 'ratio']];
for (const connections of [1, 16, 64]) {
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(connections));
  const middle = (of: 'stored' | 'decoy', figure: keyof Load) => median(rounds, (round) => round[of][figure])!;
  const [stored, decoys] = [middle('stored', 'perSecond'), middle('decoy', 'perSecond')];
  const latencies = [middle('stored', 'p50'), middle('stored', 'p99')].map((each) => each.toFixed(2));
  rows.push([`${connections}`, stored.toFixed(0), ...latencies, decoys.toFixed(0), (stored / decoys).toFixed(2)]);
}
console.log(markdownTable(rows));
console.log(
  `\nNode ${process.versions.node}, ${cpus().length} cores, the load made on the same machine, ${ROUNDS} rounds.`,
);

async function measure(connections: number): Promise<{ stored: Load; decoy: Load }> {
  await using server = await startServer();
  // Meanwhile code is compiled, and mails go out until the hour's cap is reached.
  const early = postSignUps(server.url, connections, 'early');
  const stored = postSignUps(server.url, connections, 'person');
  const decoy = postSignUps(server.url, connections, 'decoy', 'A robot');
  const least = early.answered + stored.answered;
  const { count, decoys } = countStored(server.dataDir);
  if (count < least || decoys > 0) throw new Error(`${least} were answered; stored: ${count}, decoys: ${decoys}`);
  return { stored, decoy };
}

function countStored(dataDir: string): { count: number; decoys: number } {
  const database = new DatabaseSync(join(dataDir, 'sign-ups.db'), { readOnly: true });
  const sql = `select count(*) as count, count(*) filter (where address like 'decoy%') as decoys from subscribers`;
  const row = database.prepare(sql).get() as { count: number; decoys: number };
  database.close();
  return row;
}
