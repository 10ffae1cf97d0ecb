/**
 * `npm run bench`: measures the built site beside the same page without any script (the baseline), and without web fonts
 * and drawings as well (bare); prints the table of docs/performance/. `-- --rounds N` for other than five rounds.
 */
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { precompress } from '../tools/build/precompress.ts';
import { withoutScripts } from '../tools/check/without-scripts.ts';
import { type Column, formatTable, numberOption } from './report.ts';
import { BUILD, dataFolder, serveStatic, startServer } from './server.ts';
import { measureVisit, readVersion, runLighthouse } from './visit.ts';

/** Blocking and busy times of one page differ by a factor of two from visit to visit, so each round takes many. */
const TIMES_A_ROUND = 8;
const rounds = numberOption('rounds', 5);

await using running = new AsyncDisposableStack();
const site = running.use(await startServer());
const baseline = running.use(await startServer(await changedBuild(withoutScripts)));
// The site's own headers would refuse styles that were changed.
const withoutHeaders = running.use(await serveStatic(join(await changedBuild(bare), 'site')));
const turns: Turn[] = [
  { name: 'bare', url: withoutHeaders.url, taken: [] },
  { name: 'baseline', url: baseline.url, taken: [] },
  { name: 'first visit', url: site.url, taken: [] },
];

for (let round = 0; round < rounds; round += 1) {
  for (let time = 0; time < TIMES_A_ROUND; time += 1) {
    process.stderr.write(`Round ${round + 1} of ${rounds}, visit ${time + 1} of ${TIMES_A_ROUND}\n`);
    // In turns, another one first each time: a minute in which the machine is slow falls on all of them.
    for (const place of turns.keys()) await visit(turns[(place + time) % turns.length]!);
  }
}

const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.version}, Chromium ${await readVersion()}`;
console.log(
  `${formatTable(turns)}\n\nMedians of ${rounds} rounds on ${machine}, ${new Date().toISOString().slice(0, 10)}.`,
);

type Turn = Column & { url: string };

/** @returns the folder of a build whose pages are changed */
async function changedBuild(change: (html: string) => string): Promise<string> {
  const folder = running.use(await dataFolder());
  const pages = join(folder.path, 'site');
  await cp(BUILD, folder.path, { recursive: true });
  for await (const file of glob('*.html', { cwd: pages })) {
    await writeFile(join(pages, file), change(await readFile(join(pages, file), 'utf8')));
  }
  await precompress(pages);
  return folder.path;
}

/** A page without scripts, web fonts and drawings: as little as these words and styles can be. */
function bare(html: string): string {
  return withoutScripts(html)
    .replace(/<link\b[^>]*as="font"[^>]*>/g, '')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(/<svg\b.*?<\/svg>/gs, '');
}

async function visit({ url, taken }: Turn): Promise<void> {
  taken.push(await measureVisit(url), runLighthouse(url));
}
