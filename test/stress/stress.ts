/**
 * `npm run stress`: 1,000 `kill -9` with sign-ups in flight, and 100,000 random requests. Prints figures; ends with 1
 * when a promise was broken. `-- --kills N --inputs N --seed N` changes them; the same seed sends the same requests.
 */
import { parseArgs } from 'node:util';
import { buildSites, TEST_SITE } from '../built-sites.ts';
import { runFuzz } from './fuzz.ts';
import { runKills } from './kills.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const [kills, inputs, seed] = [values.kills, values.inputs, values.seed].map(wholeNumber) as [number, number, number];
let isBroken = false;

await buildSites([TEST_SITE]);
if (inputs > 0) {
  const fuzz = await runFuzz({ build: TEST_SITE, inputs, seed, onProgress: showProgress('Inputs', inputs) });
  const { failures, brokenRows, ...figures } = fuzz;
  report('Random requests', { seed, ...figures, failures: failures.length, brokenRows: brokenRows.length });
  show([...failures, ...brokenRows]);
}
if (kills > 0) {
  const onProgress = showProgress('Kills', kills);
  const { unexplained, ...figures } = await runKills({ build: TEST_SITE, kills, seed, onProgress });
  report('kill -9', { ...figures, unexplained: unexplained.length });
  show(unexplained);
  isBroken ||= figures.lost > 0 || figures.unmailed > 0;
}
process.exit(isBroken ? 1 : 0);

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`expected a whole number, found ${text}`);
  process.exit(2);
}

/** Counts in one line of the terminal. */
function showProgress(label: string, total: number): (done: number) => void {
  return (done) => process.stderr.write(`\r${label}: ${done} of ${total}${done < total ? '' : '\n'}`);
}

function report(title: string, figures: object): void {
  console.log(`${title}: ${JSON.stringify(figures)}`);
}

/** Each of these breaks a promise; a few are enough to begin with. */
function show(broken: string[]): void {
  isBroken ||= broken.length > 0;
  for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
}
