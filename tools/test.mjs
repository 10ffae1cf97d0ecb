/**
 * `npm test`: installs, builds, finds Chromium, and runs every check: types, lint, unit, component and receiver tests,
 * sizes, and the whole-browser tests on the built site. `npm run check` leaves the browser out.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from './setup/build-stamp.mjs';
import { installIfMissing, pinnedNode } from './setup/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
const results = join(root, 'test-results');
const withBrowser = !process.argv.includes('--no-browser');

installIfMissing(root);
// The tests are of the site as anyone would build it, whatever this shell has set.
for (const name of ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR', 'DATA_DIR']) delete process.env[name];
process.env.PATH = bin + delimiter + process.env.PATH;
rmSync(results, { recursive: true, force: true });

const steps = [
  ['Build', () => buildIsFresh(root) || exec(pinnedNode(root), ['tools/build/build.ts'])],
  ['Types', () => exec(pinnedNode(root), ['tools/check/types.ts'])],
  ['Lint', () => exec('oxlint', ['--deny-warnings'])],
  [
    'Unit, component and receiver tests',
    () =>
      exec('vitest', ['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/vitest.json']),
  ],
  ['Sizes', () => exec(pinnedNode(root), ['tools/check/size.ts'])],
];
if (withBrowser) {
  steps.push(['Whole-browser tests', () => exec('playwright', ['test'])]);
  const { findOrInstallChromium } = await import('./setup/chromium.mjs');
  process.env.CHROMIUM = findOrInstallChromium();
  console.log(`Browser: ${process.env.CHROMIUM}`);
}

let failed = false;
const times = [];
for (const [name, step] of steps) {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const passed = step();
  times.push(`${passed ? '✓' : '✗'} ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  failed ||= !passed;
  // Without a build there is nothing to test.
  if (!passed && name === 'Build') break;
}

const { passed, failures, skipped, withoutPostgres } = counts();
console.log(`\n${times.join('\n')}`);
if (withoutPostgres)
  console.log(
    '\n*** NO POSTGRESQL ON THIS MACHINE: its tests were SKIPPED. Install Debian\'s "postgresql" to run them. ***',
  );
console.log(`\n${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed ? 1 : 0);

function exec(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function counts() {
  const vitest = report('vitest.json');
  const playwright = report('playwright.json')?.stats;
  return {
    passed: (vitest?.numPassedTests ?? 0) + (playwright?.expected ?? 0) + (playwright?.flaky ?? 0),
    failures: (vitest?.numFailedTests ?? 0) + (playwright?.unexpected ?? 0),
    withoutPostgres: vitest?.testResults
      .flatMap((file) => file.assertionResults)
      .some(({ status, fullName }) => status === 'skipped' && fullName.includes('PostgreSQL')),
    skipped: (vitest?.numPendingTests ?? 0) + (playwright?.skipped ?? 0),
  };
}

function report(name) {
  const file = join(results, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
