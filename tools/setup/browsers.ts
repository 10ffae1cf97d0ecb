/** Finds the browsers of the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { scriptOf } from './install.mjs';

type Wanted = {
  /** The environment variable that names one. */
  variable: string;
  commands: string[];
  /** Where they are on macOS. */
  places: string[];
};

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
    `No Chromium: tried ${CHROMIUM.commands.join(', ')} on the PATH, Debian's package chromium and a download. ` +
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
  return onTheMachine({
    variable: 'FIREFOX',
    commands: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  });
}

const CHROMIUM = {
  variable: 'CHROMIUM',
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  places: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  debianPackage: 'chromium',
};

const HEADLESS_SHELL = {
  variable: 'HEADLESS_SHELL',
  commands: ['chromium-headless-shell', 'chrome-headless-shell'],
  places: [] as string[],
  debianPackage: 'chromium-headless-shell',
};

function onTheMachine({ variable, commands, places }: Wanted): string | undefined {
  const named = process.env[variable];
  if (named) {
    if (!existsSync(named)) throw new Error(`${variable}: there is no file ${named}`);
    return named;
  }
  for (const command of commands) {
    const { status, stdout } = spawnSync('which', [command], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return places.find((place) => existsSync(place));
}

function fromDebian(wanted: Wanted & { debianPackage: string }): string | undefined {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0) return undefined;
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
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const playwright = scriptOf(root, '@playwright/test', 'playwright');
  spawnSync(process.execPath, [playwright, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return existsSync(path) ? path : undefined;
}
