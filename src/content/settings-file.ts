import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EnvironmentError, VARIABLES } from '#shared/environment.ts';
import { findNearest } from './yaml-text.ts';

/**
 * Loads the owner's settings into `process.env`, where what is set already wins. `SETTINGS_FILE` names the file: it is
 * set by `npm start`, the npm scripts and the built programs, and by no test or bench.
 * @returns a line that says which file was read; undefined where there is none
 * @throws {EnvironmentError} naming the file, each wrong line and what to do
 */
export function loadSettings(): string | undefined {
  const { SETTINGS_FILE: place } = process.env;
  if (!place) return undefined;
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  if (!existsSync(file)) return undefined;
  const mistakes = findMistakes(readOwnersFile(file));
  if (mistakes.length > 0) throw new EnvironmentError(mistakes.map((each) => `${file}:${each}`).join('\n'));
  const note = keepPrivate(file);
  process.loadEnvFile(file);
  return `${file}${note}`;
}

function readOwnersFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw new EnvironmentError(`${file}: expected a file, but this is a folder`);
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new EnvironmentError(
      `${file}: this user may not read it. Give it the file: sudo chown ${process.getuid?.() ?? 'USER'} .env`,
    );
  }
}

/** @returns mistakes that begin with the line's number, never with a value */
function findMistakes(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const mistake = findMistake(line.trim());
    return mistake === undefined ? [] : [`${index + 1} ${mistake}`];
  });
}

function findMistake(line: string): string | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const [, name, value] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return 'expected NAME=value, or # before a note';
  if (!VARIABLES.includes(name)) {
    const nearest = findNearest(name, VARIABLES);
    return `${name} is no setting. ${nearest ? `Did you mean ${nearest}?` : 'docs/settings.md lists them all'}`;
  }
  const isQuoted = /^\s*(['"`]).*\1\s*$/.test(value);
  return !isQuoted && value.includes('#')
    ? `${name}: what follows a # is not read. Put the whole value between single quotes`
    : undefined;
}

/** The file holds passwords. @returns a note for the line that names the file */
function keepPrivate(file: string): string {
  const stats = statSync(file);
  // A device such as /dev/null is everybody's.
  if (process.platform === 'win32' || !stats.isFile() || (stats.mode & 0o077) === 0) return '';
  try {
    chmodSync(file, 0o600);
    return ' (others on this machine could read it; now only you can)';
  } catch {
    return ' (others on this machine can read its passwords: run chmod 600 .env)';
  }
}
