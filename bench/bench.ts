/**
 * `npm run bench`: measures the built site beside two baselines, the same page without any script and the bare page
 * without web fonts and drawings as well, and writes the figures to docs/performance/. `-- --against NAME=DIR` adds
 * another static build; `--rounds N` takes another number of rounds than five.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { extent, flatGroup, greatest, median } from 'd3-array';
import { withoutScripts } from '../tools/check/without-scripts.ts';
import { bare, changedBuild } from './baselines.ts';
import { onPhone, type StoredState } from './browser.ts';
import { drawChart } from './chart.ts';
import { runLighthouse } from './lighthouse.ts';
import { type Metric, METRICS, type Reading, type Visit } from './metrics.ts';
import { serveStatic, startServer } from './server.ts';
import { type Figures, tableOf } from './table.ts';
import { JOIN, measureTaps, type Tap } from './taps.ts';
import { measureVisit } from './visit.ts';

/** Blocking and busy times of one page differ by a factor of two from visit to visit, so each round takes several. */
const TIMES_A_ROUND = 3;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string', multiple: true, default: [] } },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number');

await using running = new AsyncDisposableStack();
const folders = {
  bare: running.use(await changedBuild(bare)),
  baseline: running.use(await changedBuild(withoutScripts)),
};
const builds = new Map([
  ['bare', running.use(await serveStatic(join(folders.bare.path, 'site')))],
  ['baseline', running.use(await startServer(folders.baseline.path))],
  ['site', running.use(await startServer())],
]);
for (const other of options.against) {
  const [name, folder] = other.split('=');
  if (!name || !folder) throw new Error('--against: expected NAME=DIR');
  builds.set(name, running.use(await serveStatic(folder)));
}

// A page without scripts cannot tell a returning visitor, nor can a build of others.
type Turn = { build: string; url: string; visit: Visit; stored: StoredState; taken: Reading[]; taps: Tap[] };
const turns = [...builds].map(([build, { url }]): Turn => ({ build, url, ...visitOf('first', undefined) }));
const site = builds.get('site')!.url;
turns.push({ build: 'site', url: site, ...visitOf('returning', await storedChoice()) });

for (let round = 1; round <= rounds; round += 1) {
  for (let next = 0; next < turns.length; next += 1) {
    // Another one is first in each round.
    const turn = turns[(next + round) % turns.length]!;
    process.stderr.write(`Round ${round} of ${rounds}: ${turn.build}, ${turn.visit} visit\n`);
    await measure(turn, round);
  }
}

const chromium = await onPhone(undefined, async (page) => page.context().browser()!.version());
const figures: Figures = {
  measured: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`,
  software: `Node ${process.version}, Chromium ${chromium}`,
  rounds,
  columns: turns.map(({ build, visit, taken, taps }) => ({
    build,
    visit,
    medians: summary(taken, (numbers) => median(numbers)!),
    spread: summary(taken, (numbers) => extent(numbers) as [number, number]),
    slowestTap: slowest(taps),
  })),
};
console.log(tableOf(figures));
const results = new URL('../docs/performance/', import.meta.url);
await writeFile(new URL('bench.json', results), `${JSON.stringify(figures, undefined, 2)}\n`);
await writeFile(new URL('bench.svg', results), drawChart(figures));

function visitOf(visit: Visit, stored: StoredState) {
  return { visit, stored, taken: [], taps: [] };
}

async function measure({ build, url, visit, stored, taken, taps }: Turn, round: number): Promise<void> {
  for (let time = 1; time <= TIMES_A_ROUND; time += 1) {
    taken.push(await measureVisit(url, stored));
    if (visit === 'first') taken.push(runLighthouse(url));
  }
  // Every control takes minutes: once on the site, and the form's button in each round.
  const tapped = await measureTaps(url, stored, round === 1 && build === 'site' ? undefined : JOIN);
  const form = tapped.find(({ control }) => control === JOIN);
  if (form) taken.push({ tapToResponse: form.answer, tapToMessage: form.message });
  taps.push(...tapped);
}

function summary<Value>(taken: Reading[], of: (numbers: number[]) => Value): Partial<Record<Metric, Value>> {
  const metrics = Object.keys(METRICS) as Metric[];
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const numbers = taken.map((reading) => reading[metric]).filter((value) => value !== undefined);
      return numbers.length > 0 ? [[metric, of(numbers)]] : [];
    }),
  );
}

function slowest(taps: Tap[]): { control: string; time: number } {
  const controls = flatGroup(taps, ({ control }) => control);
  const times = controls.map(([control, each]) => ({ control, time: median(each, ({ answer }) => answer)! }));
  return greatest(times, ({ time }) => time)!;
}

/** What the browser keeps once a visitor has turned down everything optional. */
function storedChoice(): Promise<StoredState> {
  return onPhone(undefined, async (page) => {
    await page.goto(site);
    await page.getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
    return page.context().storageState();
  });
}
