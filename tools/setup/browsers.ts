/** Finds the browsers of the tests: on the machine, else Debian's package, else a download. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Wanted = {
  name: string;
  /** The environment variable that names one. */
  variable: string;
  commands: string[];
  /** Where they are on macOS. */
  places: string[];
  debianPackage: string;
  /** As @puppeteer/browsers names it. */
  download: string;
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
 * @returns the path of a browser that exists
 * @throws {Error} saying what was tried
 */
export function findOrInstallChromium(): string {
  return findOrInstall({
    name: 'Chromium',
    variable: 'CHROMIUM',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    debianPackage: 'chromium',
    download: 'chrome@stable',
  });
}

/**
 * Chromium without its windows, at less than half the processor time for each page. Playwright drives it where it can be
 * had, else Chromium. It lacks the back/forward cache.
 *
 * @returns the path of a browser that exists
 * @throws {Error} saying what was tried
 */
export function findOrInstallHeadlessShell(): string {
  const wanted = {
    name: "Chromium's headless shell",
    variable: 'HEADLESS_SHELL',
    commands: ['chromium-headless-shell', 'chrome-headless-shell'],
    places: [],
    debianPackage: 'chromium-headless-shell',
    download: 'chrome-headless-shell@stable',
  };
  return find(wanted) ?? findOrInstallChromium();
}

/**
 * @returns the path of a browser that exists
 * @throws {Error} saying what was tried
 */
export function findOrInstallFirefox(): string {
  return findOrInstall({
    name: 'Firefox',
    variable: 'FIREFOX',
    commands: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    debianPackage: 'firefox-esr',
    download: 'firefox@stable',
  });
}

function findOrInstall(wanted: Wanted): string {
  const found = find(wanted);
  if (found !== undefined) return found;
  throw new Error(
    `No ${wanted.name}: tried ${wanted.commands.join(', ')} on the PATH, Debian's package ${wanted.debianPackage} and ` +
      `a download. Install one, or set ${wanted.variable} to its path.`,
  );
}

function find(wanted: Wanted): string | undefined {
  return onTheMachine(wanted) ?? fromDebian(wanted) ?? downloaded(wanted);
}

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

function fromDebian(wanted: Wanted): string | undefined {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0) return undefined;
  console.log(`Installing Debian's ${wanted.debianPackage} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { stdio: 'ignore', env });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', wanted.debianPackage], { stdio: 'ignore', env });
  return onTheMachine(wanted);
}

function downloaded({ name, download }: Wanted): string | undefined {
  console.log(`Downloading ${name} …`);
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const { status, stdout } = spawnSync(
    `${modules}/.bin/browsers`,
    ['install', download, '--path', `${modules}/.browsers`, '--format', '{{path}}'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return status === 0 && existsSync(path) ? path : undefined;
}
