/**
 * `npm test` runs every check as a step: whether the owner's content builds and meets its budgets; format, types and
 * lint; the tests, which run on test content. `--no-browser` leaves out what needs a browser.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { readSkipped } from './skipped-tests.ts';
import { findChromium, findHeadlessShell } from '../setup/browsers.ts';

type Step = {
  name: string;
  /** Arguments of Node. */
  run: string[];
  /** The step that must pass before this one. */
  after?: string;
  /** Whether it runs at the same time as the previous step. */
  isBeside?: boolean;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const withBrowser = !process.argv.includes('--no-browser');
const OWN_SITE = "The owner's content builds";
const TEST_SITE = 'The test content builds';

// The tests ignore this shell's settings.
for (const name of ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR', 'OUT_DIR', 'DATA_DIR']) delete process.env[name];
rmSync(join(root, 'test-results'), { recursive: true, force: true });
mkdirSync(join(root, 'test-results'));
const temporary = makeFolderInMemory();
if (temporary) process.env.TMPDIR = temporary;
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.compile-cache');
if (withBrowser) {
  const shell = (process.env.HEADLESS_SHELL = getOrExit(findHeadlessShell));
  const full = findChromium();
  if (full) process.env.CHROMIUM = full;
  console.log(`Browsers: ${[...new Set([full, shell])].filter(Boolean).join(', ')}`);
}

const vitest = (...projects: string[]) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...projects.map((project) => `--project=${project}`),
];
const steps: Step[] = [
  // A build mostly uses one core, so source checks run alongside it.
  { name: OWN_SITE, run: ['tools/build/build.ts'] },
  { name: 'Types', run: ['tools/check/types.ts'], isBeside: true },
  { name: TEST_SITE, run: ['test/build-test-sites.ts'] },
  // Reads the types of CSS Modules, which the Types step writes.
  { name: 'Lint', run: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'], isBeside: true },
  { name: 'Format', run: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'], isBeside: true },
  { name: 'Sizes', run: ['tools/check/size.ts'], after: OWN_SITE },
  { name: 'Unit and component tests', run: vitest('unit', 'component') },
  {
    name: 'Tests of built sites and servers',
    run: vitest('built', 'newsletter', ...(withBrowser ? ['chromium'] : [])),
    after: TEST_SITE,
  },
];
if (withBrowser) {
  // After the server tests: on two cores, running both at once would take longer.
  steps.push({ name: 'Browser tests', run: ['node_modules/@playwright/test/cli.js', 'test'], after: TEST_SITE });
}

type Result = { line: string; isPassed: boolean; output: string };

const results = new Map<string, Promise<Result>>();
for (const step of steps) {
  if (!step.isBeside) await Promise.all(results.values());
  results.set(step.name, runStep(step));
}
const ended = await Promise.all(results.values());
// Last, since CI may show only the end of the output.
for (const { isPassed, line, output } of ended) if (!isPassed) console.log(`\n${line}\n${output}`);
const skipped = readSkipped();
if (skipped.length > 0) console.log(`\n*** TESTS WERE SKIPPED ***\n${skipped.join('\n')}`);
console.log(`\n${ended.map(({ line }) => line).join('\n')}`);
console.log(`${countTests('passed')} passed, ${countTests('failed')} failed`);
if (temporary) rmSync(temporary, { recursive: true, force: true });
process.exit(ended.every(({ isPassed }) => isPassed) ? 0 : 1);

/** Returns what `find` finds; if it throws, exits with its message instead of a stack trace. */
function getOrExit<Value>(find: () => Value): Value {
  try {
    return find();
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(1);
  }
}

/** Test databases flush each write to disk, and tests would spend most of their time waiting for that. */
function makeFolderInMemory(): string | undefined {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < 4e9) return undefined;
    const folder = mkdtempSync(join(memory, 'checks-'));
    // PostgreSQL doesn't run as root, and must be able to reach its own folder in this one.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    // There is no such folder, or this user may not write to it: the tests just take longer.
    return undefined;
  }
}

/** Adds up the counts of all steps. */
function countTests(result: 'passed' | 'failed'): number {
  const found = ended.flatMap(({ line }) => [...line.matchAll(new RegExp(`(\\d+) ${result}`, 'g'))]);
  return found.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Runs a step with its output in a file, so that the outputs of two steps don't mix. */
async function runStep({ name, run, after = '' }: Step): Promise<Result> {
  const before = await results.get(after);
  const line = `✗ ${name}: not run, since an earlier step failed (${after})`;
  if (before?.isPassed === false) return { line, isPassed: false, output: '' };
  const started = performance.now();
  const log = join(root, `test-results/${name}.log`);
  const file = openSync(log, 'w');
  const [status] = await once(spawn(process.execPath, run, { cwd: root, stdio: ['inherit', file, file] }), 'exit');
  const output = stripVTControlCharacters(readFileSync(log, 'utf8'));
  // In the formats of Vitest and Playwright.
  const counts = [...output.matchAll(/^ +(?:Tests +)?(\d+ (?:passed|failed|flaky|skipped).*)$/gm)].map(
    ([, text]) => text,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const result = `${status === 0 ? '✓' : '✗'} ${[`${name}, ${seconds} s`, ...counts].join(', ')}`;
  console.log(result);
  return { line: result, isPassed: status === 0, output };
}
