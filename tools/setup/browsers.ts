/** Finds the browsers of the tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

/** For root in a container, and for servers that speak no QUIC; Playwright adds what keeps a browser quiet. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-quic'];

/**
 * Chromium on the machine, else Debian's package, else Playwright's download.
 * @returns its path
 * @throws {Error} saying what was tried
 */
export function findOrInstallChromium(): string {
  const programs = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  const found = findOnMachine('CHROMIUM', programs) ?? installFromDebian('chromium') ?? findOrDownload();
  if (found !== undefined) return found;
  throw new Error(
    `No Chromium: tried ${programs.join(', ')}, Debian's package chromium and a download. ` +
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
  const programs = ['chromium-headless-shell', 'chrome-headless-shell'];
  return (
    findOnMachine('HEADLESS_SHELL', programs) ?? installFromDebian('chromium-headless-shell') ?? findOrInstallChromium()
  );
}

/** @returns the path of the machine's Firefox, if it has one */
export function findFirefox(): string | undefined {
  return findOnMachine('FIREFOX', ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']);
}

/**
 * @param variable of the environment, which may name one
 * @param programs commands, or paths on macOS
 */
function findOnMachine(variable: string, programs: string[]): string | undefined {
  const named = process.env[variable];
  if (named && !existsSync(named)) throw new Error(`${variable}: there is no file ${named}`);
  return named || programs.map(findProgram).find((path) => path !== undefined);
}

function findProgram(program: string): string | undefined {
  const { status, stdout } = spawnSync('which', [program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** @param name of the package, and of the program in it */
function installFromDebian(name: string): string | undefined {
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined) return undefined;
  console.log(`Installing Debian's ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], { stdio: 'ignore', env });
  return findProgram(name);
}

function findOrDownload(): string | undefined {
  const path = chromium.executablePath();
  if (existsSync(path)) return path;
  console.log('Downloading Chromium …');
  const cli = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url));
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return existsSync(path) ? path : undefined;
}
