import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that some tests need, and how to install them. */
const MACHINE_NEEDS = {
  PostgreSQL: 'apt-get install postgresql',
  'IMAP server': 'apt-get install dovecot-imapd',
  SpamAssassin: 'apt-get install spamassassin',
  systemd: 'apt-get install systemd',
  'Docker Compose': 'docs.docker.com/engine/install',
  nginx: 'apt-get install nginx-light',
  Caddy: 'apt-get install caddy',
  "Node older than the project's": 'apt-get install nodejs',
  'permission to mount a folder': 'run the tests as root',
  'back/forward cache (only a headless shell, no Chromium or Chrome)': 'apt-get install chromium',
  'system fonts (such as Arial)': 'apt-get install fonts-dejavu-core',
  'Chromium that retries failed imports (156 or newer)': 'apt-get install chromium-headless-shell',
  'browser with TLS (the one from npm lacks a library)': 'apt-get install chromium-headless-shell',
  Firefox: 'apt-get install firefox-esr',
  WebKit: 'apt-get install webkit2gtk-driver xvfb',
};

export type MachineNeed = keyof typeof MACHINE_NEEDS;

const root = fileURLToPath(new URL('../..', import.meta.url));
const SKIPPED_TESTS = join(root, 'test-results/skipped-tests.txt');

/** Records that tests in a file were skipped. @param file absolute path */
export function recordSkipped(file: string, need: MachineNeed): void {
  mkdirSync(dirname(SKIPPED_TESTS), { recursive: true });
  appendFileSync(SKIPPED_TESTS, `${relative(root, file)}: no ${need} (${MACHINE_NEEDS[need]})\n`);
}

/** @returns a line for each missing program: how to install it, and the files in which tests were skipped */
export function readSkipped(): string[] {
  if (!existsSync(SKIPPED_TESTS)) return [];
  const lines = new Set(readFileSync(SKIPPED_TESTS, 'utf8').trimEnd().split('\n'));
  const skipped = [...lines].toSorted().map((line) => line.split(': ') as [file: string, need: string]);
  return [...Map.groupBy(skipped, ([, need]) => need)].map(
    ([need, files]) => `${need}: ${files.map(([file]) => file).join(', ')}`,
  );
}
