/** Finds a Chromium for the whole-browser tests: on the machine, else Debian's package, else Playwright's download. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

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
 * @returns {string} the path of a browser that exists
 * @throws {Error} saying what was tried
 */
export function findOrInstallChromium() {
  const found = onTheMachine() ?? fromDebian() ?? fromPlaywright();
  if (found === undefined) {
    throw new Error(
      `No Chromium: tried ${NAMES.join(', ')} on the PATH, Debian's package and Playwright's download. ` +
        'Install one, or set CHROMIUM to its path.',
    );
  }
  return found;
}

function onTheMachine() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM: there is no file ${named}`);
    return named;
  }
  for (const name of NAMES) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return PLACES.find((place) => existsSync(place));
}

function fromDebian() {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0) return undefined;
  console.log("Installing Debian's Chromium …");
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update'], quiet);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet);
  return onTheMachine();
}

function fromPlaywright() {
  const require = createRequire(import.meta.url);
  console.log("Downloading Playwright's Chromium …");
  const { status } = spawnSync(process.execPath, [require.resolve('@playwright/test/cli'), 'install', 'chromium'], {
    stdio: 'inherit',
  });
  if (status !== 0) return undefined;
  const path = require('@playwright/test').chromium.executablePath();
  return existsSync(path) ? path : undefined;
}
