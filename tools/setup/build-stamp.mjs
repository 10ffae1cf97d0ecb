/**
 * Says whether the build is older than what it was made from. Plain JavaScript, because `npm start` asks before
 * anything is installed and on whatever Node the machine has.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['content', 'public', 'src', 'tools/build', 'package-lock.json', 'vite.config.ts'];
/** Within them, what no build is made from. */
const BESIDE = 'src/launch-check';
/** Environment variables that change what is built. */
const SETTINGS = ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR'];

/**
 * Records that the build in this folder is complete, and the settings it was made with.
 * @param {string} folder
 */
export function stampBuild(folder) {
  writeFileSync(stampFile(folder), JSON.stringify(settings(process.env)));
}

/**
 * Whether the build in a folder is whole, newer than its sources and made with these settings.
 * @param {string} root the project's folder
 * @param {string} folder
 * @param {Record<string, string | undefined>} variables
 */
export function buildIsFresh(root, folder = process.env.OUT_DIR ?? join(root, 'dist'), variables = process.env) {
  const file = stampFile(folder);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== JSON.stringify(settings(variables))) return false;
  const built = statSync(file).mtimeMs;
  const content = variables.CONTENT_DIR ? [variables.CONTENT_DIR] : [];
  return [...SOURCES.map((source) => join(root, source)), ...content].every(
    (source) => newest(source, join(root, BESIDE)) <= built,
  );
}

/** @param {string} folder */
function stampFile(folder) {
  return join(folder, 'stamp.json');
}

/** @param {Record<string, string | undefined>} variables */
function settings(variables) {
  return Object.fromEntries(SETTINGS.map((name) => [name, variables[name] ?? '']));
}

/**
 * @param {string} path
 * @param {string} except
 * @returns {number}
 */
function newest(path, except) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || path === except) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name), except)));
}
