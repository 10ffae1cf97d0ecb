import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { EnvironmentError, VARIABLES } from './environment.ts';
import { explainCodes } from '#shared/explain-codes.ts';

/**
 * Loads the owner's settings into `process.env`. Values that are already set take precedence. `SETTINGS_FILE` names the
 * file: `npm start`, the npm scripts and the built programs set it; tests and benchmarks don't.
 * @returns the file that was read, for the log, with a note if its permissions matter; undefined if there is none
 * @throws {EnvironmentError} naming the file, the setting of each wrong line and what to do
 */
export function loadSettings(): string | undefined {
  const { SETTINGS_FILE: place } = process.env;
  if (!place) return undefined;
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  if (!existsSync(file)) {
    // Notepad adds the extension, and Explorer hides it.
    if (!existsSync(`${file}.txt`)) return undefined;
    throw new EnvironmentError(`${file}.txt: a file of this name is not read. Name it ${basename(file)}`);
  }
  const text = readOwnersFile(file);
  const errors = findErrors(text);
  if (errors.length > 0) throw new EnvironmentError(errors.map((each) => `${file}: ${each}`).join('\n'));
  const note = keepPrivate(file);
  // Not process.loadEnvFile, which treats a byte order mark as part of the first name.
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  return `${file}${note}`;
}

function readOwnersFile(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw new EnvironmentError(`${file}: ${explainUnreadable(error as NodeJS.ErrnoException)}`);
  }
}

function explainUnreadable(error: NodeJS.ErrnoException): string {
  if (error instanceof TypeError) return 'expected a file saved as UTF-8. Save it again with that encoding';
  if (error.code !== 'EACCES') return explainCodes(`${error.code}`);
  return `this user may not read it. Change its owner: sudo chown ${process.getuid?.() ?? 'USER'} .env`;
}

/** @returns errors that begin with the name of a setting; none contains a value */
function findErrors(text: string): string[] {
  const names = new Set<string>();
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const [[name, value] = ['', '']] = Object.entries(parseEnv(line) as Record<string, string>);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      const place = VARIABLES.find((each) => line.startsWith(each)) ?? `line ${index + 1}`;
      return [`${place}: expected NAME=value, or # before a note`];
    }
    if (!VARIABLES.includes(name)) return [`${name} is not a setting. docs/settings.md lists them all`];
    if (names.has(name)) return [`${name} appears twice. Keep one of the two lines`];
    names.add(name);
    return isWhole(line, value) ? [] : [`${name}: ${QUOTING}`];
  });
}

const QUOTING =
  'expected a value without # and quotation marks, or one between two quotation marks that don’t occur in it: \', " or `';

/** Whether Node read the whole value: it silently ends a value at its second quotation mark, or at a #. */
function isWhole(line: string, value: string): boolean {
  const written = line.slice(line.indexOf('=') + 1).trim();
  if (written === value) return !/^['"`“”‘’„]/.test(value);
  const note = written.slice(value.length + 2).trim();
  const isQuoted = ["'", '"', '`'].some((mark) => written.startsWith(`${mark}${value}${mark}`));
  return isQuoted && (note === '' || note.startsWith('#'));
}

/** Restricts the file, which contains passwords. @returns a note for the log line that names the file */
function keepPrivate(file: string): string {
  const stats = statSync(file);
  // A device such as /dev/null is readable by everybody.
  if (process.platform === 'win32' || !stats.isFile() || (stats.mode & 0o077) === 0) return '';
  try {
    chmodSync(file, 0o600);
    return ' (others on this machine could read it; now only you can)';
  } catch {
    return ' (others on this machine can read its passwords: run chmod 600 .env)';
  }
}
