/**
 * `npm run bench`: measures the built site beside two baselines, the same page without any script and the bare page
 * without web fonts and drawings as well, and writes the figures to docs/performance/. `-- --against NAME=DIR` adds
 * another static build; `--rounds N` takes another number of rounds than five.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { onPhone, type StoredState } from './browser.ts';
import { type RunningBuild, serveBare, serveBaseline, serveOther, serveSite } from './builds.ts';
import { drawChart } from './chart.ts';
import { measureColdTap } from './cold-tap.ts';
import { runLighthouse } from './lighthouse-run.ts';
import { type Metric, METRICS, type Reading, type Visit } from './metrics.ts';
import { median } from './server.ts';
import { type Figures, tableOf } from './table.ts';
import { measureVisit } from './visit.ts';

/** Blocking and busy times of one page differ by a factor of two from visit to visit, so each round takes several. */
const TIMES_A_ROUND = 3;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string', multiple: true, default: [] } },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number');
const others = options.against.map((build) => {
  const [name, folder] = build.split('=');
  if (!name || !folder) throw new Error('--against: expected NAME=DIR');
  return { name, folder };
});

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const site = await serveSite(dist);
const builds = [await serveBare(dist), await serveBaseline(dist), site];
for (const { name, folder } of others) builds.push(await serveOther(name, folder));

// A page without scripts cannot tell a returning visitor, nor can a build of others.
type Turn = { build: RunningBuild; visit: Visit; stored: StoredState; taken: Reading[] };
const turns: Turn[] = [
  ...builds.map((build): Turn => ({ build, visit: 'first', stored: undefined, taken: [] })),
  { build: site, visit: 'returning', stored: await storedChoice(site.url), taken: [] },
];
try {
  for (let round = 1; round <= rounds; round += 1) {
    for (let next = 0; next < turns.length; next += 1) {
      // Another one is first in each round.
      const { build, visit, stored, taken } = turns[(next + round) % turns.length]!;
      process.stderr.write(`Round ${round} of ${rounds}: ${build.name}, ${visit} visit\n`);
      for (let time = 1; time <= TIMES_A_ROUND; time += 1) {
        taken.push(await measureVisit(build.url, stored));
        if (visit === 'first') taken.push(await runLighthouse(build.url));
      }
      taken.push(await measureColdTap(build.url, stored));
    }
  }
} finally {
  for (const build of builds) await build.stop();
}

const chromium = await onPhone(undefined, async (page) => page.context().browser()!.version());
const figures: Figures = {
  measured: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`,
  software: `Node ${process.version}, Chromium ${chromium}`,
  rounds,
  columns: turns.map(({ build, visit, taken }) => ({
    build: build.name,
    visit,
    medians: summary(taken, median),
    spread: summary(taken, (numbers): [number, number] => [Math.min(...numbers), Math.max(...numbers)]),
  })),
};
console.log(tableOf(figures));
const results = new URL('../docs/performance/', import.meta.url);
await writeFile(new URL('bench.json', results), `${JSON.stringify(figures, undefined, 2)}\n`);
await writeFile(new URL('bench.svg', results), drawChart(figures));

function summary<Value>(taken: Reading[], of: (numbers: number[]) => Value): Partial<Record<Metric, Value>> {
  const metrics = Object.keys(METRICS) as Metric[];
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const numbers = taken.map((reading) => reading[metric]).filter((value) => value !== undefined);
      return numbers.length > 0 ? [[metric, of(numbers)]] : [];
    }),
  );
}

/** What the browser keeps once a visitor has turned down everything optional. */
function storedChoice(url: string): Promise<StoredState> {
  return onPhone(undefined, async (page) => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
    return page.context().storageState();
  });
}
