/**
 * Says whether the build is older than its sources. Plain JavaScript, because tools/run.mjs asks on any Node that the
 * machine has.
 */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

const SOURCES = ['public', 'src', 'tools/build', 'package-lock.json', 'vite.config.ts'];
/** Environment variables that change what is built. */
const SETTINGS = ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'HSTS_SUBDOMAINS', 'CONTENT_DIR'];

/**
 * Records that the build in this folder is complete, and the settings it was made with.
 * @param {string} folder
 * @param {Date} started before anything was read, so that a file saved during the build is newer
 */
export function stampBuild(folder, started) {
  const stamp = join(folder, 'stamp.json');
  writeFileSync(stamp, formatSettings(process.env));
  utimesSync(stamp, started, started);
}

/**
 * Whether the build in a folder is whole, newer than its sources and made with these settings.
 * @param {string} root the project's folder
 * @param {string} folder
 * @param {Record<string, string | undefined>} variables
 */
export function isBuildFresh(root, folder = process.env.OUT_DIR ?? join(root, 'dist'), variables = process.env) {
  const stamp = join(folder, 'stamp.json');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== formatSettings(variables)) return false;
  const built = statSync(stamp).mtimeMs;
  const content = variables.CONTENT_DIR ?? 'content';
  // Updates are read as they are when they are sent.
  const updates = resolve(root, content, 'updates') + sep;
  /** @param {string} file */
  const isBuiltFrom = (file) => !(file + sep).startsWith(updates) && !/\.test\.tsx?$/.test(file);
  return [content, ...SOURCES].every((source) => findNewest(resolve(root, source), isBuiltFrom) <= built);
}

/** @param {Record<string, string | undefined>} variables */
function formatSettings(variables) {
  return JSON.stringify(SETTINGS.map((name) => variables[name] ?? ''));
}

/**
 * @param {string} path of a file or a folder, with all in it
 * @param {(file: string) => boolean} isBuiltFrom whether a build is made from a file or a folder
 */
function findNewest(path, isBuiltFrom) {
  const stats = statSync(path, { throwIfNoEntry: false });
  const names = stats?.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  const inside = names.map((name) => join(path, name)).filter(isBuiltFrom);
  return Math.max(stats?.mtimeMs ?? 0, ...inside.map((file) => statSync(file).mtimeMs));
}
