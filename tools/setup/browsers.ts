/** Finds the browsers of the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

/** Runs as root in a container, and asks nobody outside. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Chromium on the machine, else Debian's package, else Playwright's download.
 * @returns its path
 * @throws {Error} saying what was tried
 */
export function findOrInstallChromium(): string {
  const found = onTheMachine(CHROMIUM) ?? fromDebian(CHROMIUM) ?? downloaded();
  if (found !== undefined) return found;
  throw new Error(
    `No Chromium: tried ${CHROMIUM.programs.join(', ')}, Debian's package chromium and a download. ` +
      'Install one, or set CHROMIUM to its path.',
  );
}

/**
 * Chromium without windows, which takes half the processor time for each page: what Playwright drives where it can be
 * had, else Chromium. It has no back/forward cache.
 * @returns its path
 * @throws {Error} saying what was tried
 */
export function findOrInstallHeadlessShell(): string {
  return onTheMachine(HEADLESS_SHELL) ?? fromDebian(HEADLESS_SHELL) ?? findOrInstallChromium();
}

/** @returns the path of the machine's Firefox, if it has one */
export function findFirefox(): string | undefined {
  const programs = ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
  return onTheMachine({ variable: 'FIREFOX', programs });
}

/** By the environment variable that names one, then by names on the PATH and places on macOS. */
type Wanted = { variable: string; programs: string[] };
type Packaged = Wanted & { debianPackage: string };

const CHROMIUM: Packaged = {
  variable: 'CHROMIUM',
  programs: [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  debianPackage: 'chromium',
};

const HEADLESS_SHELL: Packaged = {
  variable: 'HEADLESS_SHELL',
  programs: ['chromium-headless-shell', 'chrome-headless-shell'],
  debianPackage: 'chromium-headless-shell',
};

function onTheMachine({ variable, programs }: Wanted): string | undefined {
  const named = process.env[variable];
  if (named && !existsSync(named)) throw new Error(`${variable}: there is no file ${named}`);
  return named || programs.map(which).find((path) => path !== undefined);
}

/** @param program a command, or the path of one */
function which(program: string): string | undefined {
  const { status, stdout } = spawnSync('which', [program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function fromDebian(wanted: Packaged): string | undefined {
  if (process.getuid?.() !== 0 || which('apt-get') === undefined) return undefined;
  console.log(`Installing Debian's ${wanted.debianPackage} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', wanted.debianPackage], { stdio: 'ignore', env });
  return onTheMachine(wanted);
}

function downloaded(): string | undefined {
  const path = chromium.executablePath();
  if (existsSync(path)) return path;
  console.log('Downloading Chromium …');
  const cli = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url));
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return existsSync(path) ? path : undefined;
}
