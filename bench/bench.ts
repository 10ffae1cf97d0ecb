/**
 * `npm run bench`: measures the built site beside the baseline, which is the same page without any script, and writes the
 * figures to docs/performance/. `-- --against NAME=DIR` adds another static build; `--rounds N` takes another number of rounds than five.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installIfMissing } from '../tools/setup/install.mjs';
import { onPhone, type StoredState } from './browser.ts';
import { type RunningBuild, serveBuild, serveBaseline, serveOther } from './builds.ts';
import { drawChart } from './chart.ts';
import { measureColdTap } from './cold-tap.ts';
import { runLighthouse } from './lighthouse-run.ts';
import { median, type Metric, METRICS, type Reading, type Visit } from './metrics.ts';
import { measureBuild, measureDevelopmentStart } from './tool-times.ts';
import { type Figures, printTable } from './table.ts';
import { measureVisit } from './visit.ts';

/** Blocking and busy times of one and the same page differ by a factor of two from visit to visit, so each round takes several. */
const TIMES_A_ROUND = 3;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string', multiple: true, default: [] } },
});
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number');

const root = fileURLToPath(new URL('..', import.meta.url));
installIfMissing(root);
const buildSeconds = await measureBuild(root);
const developmentSeconds = await measureDevelopmentStart(root);
const site = await serveBuild('site', `${root}dist`);
const builds: RunningBuild[] = [await serveBaseline(`${root}dist`), site];
for (const build of options.against) {
  const [name, folder] = build.split('=');
  if (!name || !folder) throw new Error('--against: expected NAME=DIR');
  builds.push(await serveOther(name, folder));
}

// The baseline cannot tell a returning visitor, nor can a build of others.
const turns: { build: RunningBuild; visit: Visit; stored: StoredState }[] = [
  ...builds.map((build) => ({ build, visit: 'first' as const, stored: undefined })),
  { build: site, visit: 'returning', stored: await storedChoice(site.url) },
];
const readings = new Map<string, Reading[]>();
try {
  for (let round = 1; round <= rounds; round += 1) {
    for (let next = 0; next < turns.length; next += 1) {
      // Another one is first in each round.
      const { build, visit, stored } = turns[(next + round) % turns.length]!;
      process.stderr.write(`Round ${round} of ${rounds}: ${build.name}, ${visit} visit\n`);
      const key = `${build.name} ${visit}`;
      const taken = readings.get(key) ?? [];
      readings.set(key, taken);
      for (let time = 1; time <= TIMES_A_ROUND; time += 1) {
        taken.push(await measureVisit(build.url, stored));
        taken.push(await runLighthouse(build.url, stored));
      }
      taken.push(await measureColdTap(build.url, stored));
    }
  }
} finally {
  for (const build of builds) await build.stop();
}

const figures: Figures = {
  measured: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`,
  software: `Node ${process.version}, Chromium ${await onPhone(undefined, async (page) => page.context().browser()!.version())}`,
  rounds,
  buildSeconds,
  developmentSeconds,
  columns: [...readings].map(([key, taken]) => {
    const [build, visit] = key.split(' ') as [string, Visit];
    return { build, visit, medians: summary(taken, median), spread: summary(taken, range) };
  }),
};
printTable(figures);
await writeFile(`${root}docs/performance/bench.json`, `${JSON.stringify(figures, undefined, 2)}\n`);
await writeFile(`${root}docs/performance/bench.svg`, drawChart(figures));

function summary<Value>(taken: Reading[], of: (numbers: number[]) => Value): Partial<Record<Metric, Value>> {
  const metrics = Object.keys(METRICS) as Metric[];
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const numbers = taken.map((reading) => reading[metric]).filter((value) => value !== undefined);
      return numbers.length > 0 ? [[metric, of(numbers)]] : [];
    }),
  );
}

function range(numbers: number[]): [number, number] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** What the browser keeps once a visitor has turned down everything optional. */
function storedChoice(url: string): Promise<StoredState> {
  return onPhone(undefined, async (page) => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
    return page.context().storageState();
  });
}
