/**
 * `npm run bench`: compares the built site with the same page without scripts (the baseline), and without scripts, web
 * fonts and drawings (bare). Prints the table in docs/performance/.
 */
import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { precompress } from '../src/build/precompress.ts';
import { removeScripts } from '../tools/check/remove-scripts.ts';
import { comparePresses } from './presses.ts';
import { type Column, formatTable } from './report.ts';
import { BUILD, makeDataFolder, serveStatic, startServer } from './server.ts';
import { measureVisit, runLighthouse } from './visit.ts';

/** Many, since blocking and busy times of the same page vary by a factor of two. */
const VISITS = 40;

/** Visits in which buttons are pressed. */
const PRESSED_VISITS = 5;

await using running = new AsyncDisposableStack();
const site = running.use(await startServer());
const baseline = running.use(await startServer(await copyChangedBuild(removeScripts)));
// The site's own headers would block the changed styles.
const withoutHeaders = running.use(await serveStatic(join(await copyChangedBuild(stripToBare), 'site')));
const turns: (Column & { url: string })[] = [
  { name: 'bare', url: withoutHeaders.url, taken: [] },
  { name: 'baseline', url: baseline.url, taken: [] },
  { name: 'first visit', url: site.url, taken: [] },
];

for (let number = 0; number < VISITS; number += 1) {
  process.stderr.write(`Visit ${number + 1} of ${VISITS}\n`);
  // The builds take turns, starting with a different one each time, so that a slow minute on the machine affects all.
  for (const place of turns.keys()) {
    const { url, taken } = turns[(place + number) % turns.length]!;
    taken.push(await measureVisit(url), runLighthouse(url));
  }
}

const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.version}`;
console.log(
  `${formatTable(turns)}\n\nMedians of ${VISITS} visits on ${machine}, ${new Date().toISOString().slice(0, 10)}.`,
);
console.log(`\n${await comparePresses(site.url, PRESSED_VISITS)}\n\nMedians of ${PRESSED_VISITS} visits.`);

/** @returns the folder of a build with changed pages */
async function copyChangedBuild(change: (html: string) => string): Promise<string> {
  const folder = running.use(await makeDataFolder());
  const pages = join(folder.path, 'site');
  await cp(BUILD, folder.path, { recursive: true });
  for await (const file of glob('*.html', { cwd: pages })) {
    await writeFile(join(pages, file), change(await readFile(join(pages, file), 'utf8')));
  }
  await precompress(pages);
  return folder.path;
}

/** A page without scripts, web fonts and drawings: the minimum that its text and styles can cost. */
function stripToBare(html: string): string {
  return removeScripts(html)
    .replace(/<link\b[^>]*as="font"[^>]*>/g, '')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(/<svg\b.*?<\/svg>/gs, '');
}
