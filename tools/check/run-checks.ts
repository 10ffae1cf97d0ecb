/**
 * Every check of `npm test`, each as a step: the owner's content builds and keeps to its budgets; format, types, lint;
 * the tests, which run on content of their own. `--no-browser` leaves out what needs a browser.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOrInstallChromium, findOrInstallHeadlessShell } from '../setup/browsers.ts';
import { buildIsFresh } from '../setup/build-stamp.mjs';
import { scriptOf } from '../setup/install.mjs';

type Step = {
  name: string;
  run: () => boolean;
  /** The step without which this one cannot run. */
  after?: string;
  /** Where the test runner writes what it found. */
  report?: string;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'test-results');
const withBrowser = !process.argv.includes('--no-browser');
const OWN_SITE = "The owner's content builds";
const TEST_SITE = "The tests' own content builds";

// The tests are of the site as anyone would build it, whatever this shell has set.
for (const name of ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR', 'OUT_DIR', 'DATA_DIR']) delete process.env[name];
rmSync(results, { recursive: true, force: true });
if (withBrowser) {
  process.env.CHROMIUM = findOrInstallChromium();
  process.env.HEADLESS_SHELL = findOrInstallHeadlessShell();
  console.log(`Browsers: ${process.env.CHROMIUM}, ${process.env.HEADLESS_SHELL}`);
}

const steps: Step[] = [
  { name: OWN_SITE, run: () => buildIsFresh(root) || node('tools/build/build.ts') },
  { name: TEST_SITE, run: () => node('test/build-test-sites.ts') },
  { name: 'Format', run: () => node(scriptOf(root, 'oxfmt'), '--check', '.') },
  { name: 'Types', run: () => node('tools/check/types.ts') },
  { name: 'Lint', run: () => node(scriptOf(root, 'oxlint'), '--deny-warnings') },
  { name: 'Sizes', run: () => node('tools/check/size.ts'), after: OWN_SITE },
  vitest('Unit and component tests', 'units', ['unit', 'component']),
  { ...vitest('Tests of built sites and servers', 'servers', ['built', 'receiver']), after: TEST_SITE },
];
if (withBrowser) {
  steps.push(
    { ...vitest('The main path in Chromium', 'chromium', ['chromium']), after: TEST_SITE },
    {
      name: 'Browser tests',
      run: () => node(scriptOf(root, '@playwright/test', 'playwright'), 'test'),
      after: TEST_SITE,
      report: 'playwright',
    },
  );
}

const failed = new Set<string>();
const times = steps.map(runStep);
report();

function vitest(name: string, reportName: string, projects: string[]): Step {
  const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=test-results/${reportName}.json`];
  const named = projects.flatMap((project) => ['--project', project]);
  const run = () => node(scriptOf(root, 'vitest'), 'run', ...named, ...outputs);
  return { name, run, report: reportName };
}

function node(...args: string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** @returns a line for the end: whether it passed, its name, how long it took */
function runStep({ name, run, after }: Step): string {
  console.log(`\n── ${name}`);
  if (after !== undefined && failed.has(after)) {
    failed.add(name);
    return `✗ ${name}: not run, since a step before it failed (${after})`;
  }
  const started = performance.now();
  const passed = run();
  if (!passed) failed.add(name);
  return `${passed ? '✓' : '✗'} ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** Prints what each step came to. A step that failed without naming a failed test counts as one failure. */
function report(): void {
  const counted = steps.map((step) => {
    const found = step.report === undefined ? undefined : countsOf(step.report);
    const { passed = 0, failures = 0, skipped = 0 } = found ?? {};
    return { passed, skipped, failures: failed.has(step.name) ? Math.max(failures, 1) : failures };
  });
  const sum = (key: 'passed' | 'failures' | 'skipped') => counted.reduce((total, each) => total + each[key], 0);
  console.log(`\n${times.join('\n')}`);
  if (sum('skipped') > 0) {
    console.log(
      '\n*** TESTS WERE SKIPPED: they need what this machine has not, such as PostgreSQL. CONTRIBUTING.md says what. ***',
    );
  }
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failures')} failed${skipped}`);
  process.exit(failed.size > 0 ? 1 : 0);
}

function countsOf(name: string): { passed: number; failures: number; skipped: number } | undefined {
  const file = join(results, `${name}.json`);
  if (!existsSync(file)) return undefined;
  const found = JSON.parse(readFileSync(file, 'utf8'));
  const { stats } = found;
  return stats
    ? { passed: stats.expected + stats.flaky, failures: stats.unexpected, skipped: stats.skipped }
    : { passed: found.numPassedTests, failures: found.numFailedTests, skipped: found.numPendingTests };
}
