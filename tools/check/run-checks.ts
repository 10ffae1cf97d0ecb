/**
 * Every check of `npm test`, each as a step: the owner's content builds and keeps to its budgets; format, types, lint;
 * the tests, which run on content of their own. `--no-browser` leaves out what needs a browser.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countReport, type Counts } from './count-report.ts';
import { describeSkipped } from './skipped-tests.ts';
import { findOrInstallChromium, findOrInstallHeadlessShell } from '../setup/browsers.ts';

type Step = {
  name: string;
  /** Arguments of Node. */
  run: string[];
  /** The step without which this one cannot run. */
  after?: string;
  /** Where the test runner writes what it found. */
  report?: string;
  /** Whether it runs at the same time as the step before it; its output is printed when it has ended. */
  isBeside?: boolean;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const withBrowser = !process.argv.includes('--no-browser');
const OWN_SITE = "The owner's content builds";
const TEST_SITE = "The tests' own content builds";

// The tests are of the site as anyone would build it, whatever this shell has set.
for (const name of ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR', 'OUT_DIR', 'DATA_DIR']) delete process.env[name];
rmSync(join(root, 'test-results'), { recursive: true, force: true });
mkdirSync(join(root, 'test-results'));
if (withBrowser) {
  process.env.CHROMIUM = findOrInstallChromium();
  process.env.HEADLESS_SHELL = findOrInstallHeadlessShell();
  console.log(`Browsers: ${process.env.CHROMIUM}, ${process.env.HEADLESS_SHELL}`);
}

const steps: Step[] = [
  { name: OWN_SITE, run: ['tools/run.mjs', '--build'] },
  { name: TEST_SITE, run: ['test/build-test-sites.ts'] },
  { name: 'Format', run: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
  { name: 'Types', run: ['tools/check/types.ts'] },
  { name: 'Lint', run: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  { name: 'Sizes', run: ['tools/check/size.ts'], after: OWN_SITE },
  makeVitestStep('Unit and component tests', 'unit', 'component'),
  {
    ...makeVitestStep('Tests of built sites and servers', 'built', 'newsletter', ...(withBrowser ? ['chromium'] : [])),
    after: TEST_SITE,
  },
];
if (withBrowser) {
  const run = ['node_modules/@playwright/test/cli.js', 'test', '--workers=2'];
  // Beside the tests of servers, since both wait more than they compute.
  steps.push({ name: 'Browser tests', run, after: TEST_SITE, report: 'playwright.json', isBeside: true });
}

const failedSteps = new Set<string>();
const running: ReturnType<typeof runStep>[] = [];
for (const step of steps) {
  if (!step.isBeside) await Promise.all(running);
  running.push(runStep(step));
}
const results = await Promise.all(running);
const passed = results.reduce((total, result) => total + result.passed, 0);
const failures = results.flatMap((result) => result.failed);
const skipped = results.flatMap((result) => result.skipped);
// Last, since a CI may show the end of the output alone.
for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\n${results.map(({ line }) => line).join('\n')}`);
if (skipped.length > 0) console.log(`\n*** TESTS WERE SKIPPED ***\n${describeSkipped(skipped).join('\n')}`);
console.log(`\n${passed} passed, ${failures.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
process.exit(failedSteps.size > 0 ? 1 : 0);

function makeVitestStep(name: string, ...projects: string[]): Step {
  const report = `${projects.join('-')}.json`;
  const named = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=test-results/${report}`];
  return { name, run: ['node_modules/vitest/vitest.mjs', 'run', ...named, ...reporters], report };
}

/** @returns a line for the end (whether it passed, its name, how long it took), and what its tests came to */
async function runStep({ name, run, after, report, isBeside }: Step): Promise<Counts & { line: string }> {
  console.log(`\n── ${name}`);
  if (after !== undefined && failedSteps.has(after)) {
    failedSteps.add(name);
    return {
      line: `✗ ${name}: not run, since a step before it failed (${after})`,
      ...readCounts(),
      failed: [`${name}: not run`],
    };
  }
  const started = performance.now();
  const log = join(root, 'test-results/output.log');
  const output = isBeside ? openSync(log, 'w') : 'inherit';
  const [status] = await once(spawn(process.execPath, run, { cwd: root, stdio: ['inherit', output, output] }), 'exit');
  if (isBeside) console.log(readFileSync(log, 'utf8'));
  const isPassed = status === 0;
  if (!isPassed) failedSteps.add(name);
  const line = `${isPassed ? '✓' : '✗'} ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`;
  const counts = readCounts(report);
  if (!isPassed && counts.failed.length === 0) counts.failed.push(`${name}: its output is above`);
  return { line, ...counts };
}

function readCounts(report = ''): Counts {
  const file = join(root, 'test-results', report);
  if (report === '' || !existsSync(file)) return { passed: 0, failed: [], skipped: [] };
  return countReport(JSON.parse(readFileSync(file, 'utf8')), root);
}
