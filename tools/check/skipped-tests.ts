import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that some tests need, as a sentence names them, and how to have them. */
export const MACHINE_NEEDS = {
  PostgreSQL: 'apt-get install postgresql',
  'IMAP server': 'apt-get install dovecot-imapd',
  SpamAssassin: 'apt-get install spamassassin',
  systemd: 'apt-get install systemd',
  "Node older than the project's": 'apt-get install nodejs',
  'right to mount a folder': 'run the tests as root',
  Firefox: 'apt-get install firefox-esr',
  WebKit: 'apt-get install webkit2gtk-driver xvfb',
};

export type MachineNeed = keyof typeof MACHINE_NEEDS;

/** A file of tests that were skipped, for a need that this machine does not meet. */
type UnmetNeed = { file: string; need: MachineNeed };

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A line of JSON for each need that a file of tests missed. */
const UNMET_NEEDS = join(root, 'test-results/unmet-needs.jsonl');

/** @param file absolute path of the tests' file */
export function recordUnmetNeed(file: string, need: MachineNeed): void {
  mkdirSync(dirname(UNMET_NEEDS), { recursive: true });
  const unmet: UnmetNeed = { file: relative(root, file), need };
  appendFileSync(UNMET_NEEDS, `${JSON.stringify(unmet)}\n`);
}

/** @returns a line for each file of tests that a run skipped: why, and how to have them */
export function describeSkipped(unmet = readUnmetNeeds()): string[] {
  const files = Map.groupBy(unmet, ({ file }) => file);
  return [...files].toSorted().map(([file, needs]) => {
    const names = new Set(needs.map(({ need }) => need));
    return `${file}: no ${[...names].map((need) => `${need} (${MACHINE_NEEDS[need]})`).join(', no ')}`;
  });
}

function readUnmetNeeds(): UnmetNeed[] {
  if (!existsSync(UNMET_NEEDS)) return [];
  const lines = readFileSync(UNMET_NEEDS, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
