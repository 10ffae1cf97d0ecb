import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { EnvironmentError, parseEnvironment, VARIABLES } from './environment.ts';
import { explainCodes } from '#shared/explain-codes.ts';

/**
 * Loads the owner's settings into `process.env`. Values that are set already win. `SETTINGS_FILE` names the file:
 * `npm start`, the npm scripts and the built programs set it; tests and benches don't.
 * @returns a line that says which file was read; undefined if there is none
 * @throws {EnvironmentError} naming the file, each wrong line and what to do
 */
export function loadSettings(): string | undefined {
  const { SETTINGS_FILE: place } = process.env;
  if (!place) return undefined;
  const file = place.startsWith('file:') ? fileURLToPath(place) : place;
  if (!existsSync(file)) {
    // Notepad adds the ending, and Explorer hides it.
    if (!existsSync(`${file}.txt`)) return undefined;
    throw new EnvironmentError(`${file}.txt: a file of this name is not read. Name it ${basename(file)}`);
  }
  const text = readOwnersFile(file);
  const mistakes = findMistakes(text);
  if (mistakes.length > 0) throw new EnvironmentError(mistakes.map((each) => `${file}:${each}`).join('\n'));
  const note = keepPrivate(file);
  // Not process.loadEnvFile, which takes a byte order mark for part of the first name.
  loaded = parseEnv(text);
  for (const [name, value] of Object.entries(loaded)) process.env[name] ??= value;
  return `${file}${note}`;
}

let loaded: NodeJS.Dict<string> = {};

/** The environment without the file's settings, for a program that reads the file again later. */
export function environmentWithoutFile(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name, value]) => loaded[name] !== value));
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
  return `this user may not read it. Give it the file: sudo chown ${process.getuid?.() ?? 'USER'} .env`;
}

/** @returns mistakes that begin with the line's number, never with a value */
function findMistakes(text: string): string[] {
  const linesByName = new Map<string, number>();
  return text.split(/\r?\n/).flatMap((each, index) => {
    const line = each.trim();
    if (line === '' || line.startsWith('#')) return [];
    const [, name, value] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [`${index + 1} expected NAME=value, or # before a note`];
    const earlier = linesByName.get(name);
    linesByName.set(name, index + 1);
    const mistake =
      earlier === undefined
        ? (findUnknown(name) ?? findQuoting(name, value.trim(), line) ?? findWrongValue(name, line))
        : `${name} is on line ${earlier} already. Keep one of the two lines`;
    return mistake === undefined ? [] : [`${index + 1} ${mistake}`];
  });
}

function findUnknown(name: string): string | undefined {
  return VARIABLES.includes(name) ? undefined : `${name} is not a setting. docs/settings.md lists them all`;
}

/** Node silently ends a value at its second quotation mark, or at a #. */
function findQuoting(name: string, value: string, line: string): string | undefined {
  const [, , inner] = /^(['"`])(.*?)\1\s*(?:#.*)?$/.exec(value) ?? [];
  const isWhole = parseEnv(line)[name] === (inner ?? value);
  if (isWhole && (inner !== undefined || !/^['"`“”‘’„]/.test(value))) return undefined;
  return `${name}: expected a value without # and quotation marks, or one between two marks that are not in it: ', " or \``;
}

function findWrongValue(name: string, line: string): string | undefined {
  const setting = parseEnv(line);
  // Another value in the environment wins, and is checked instead; npm's programs already have the file's there.
  if ((process.env[name] ?? setting[name]) !== setting[name]) return undefined;
  try {
    parseEnvironment(setting);
    return undefined;
  } catch (error) {
    return (error as EnvironmentError).message;
  }
}

/** Restricts the file, which contains passwords. @returns a note for the line that names the file */
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
