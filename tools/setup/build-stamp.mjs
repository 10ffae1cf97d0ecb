/**
 * Says whether the build is older than what it was made from. Plain JavaScript, because `npm start` asks before
 * anything is installed and on whatever Node the machine has.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['content', 'public', 'src', 'tools/build', 'tools/content', 'package-lock.json', 'vite.config.ts'];
/** Environment variables that change what is built. */
const SETTINGS = ['SITE_URL', 'NEWSLETTER_ENDPOINT', 'CONTENT_DIR'];

/** Records that the build in this folder is complete, and the settings it was made with. */
export function stampBuild(folder) {
  writeFileSync(stampFile(folder), JSON.stringify(settings()));
}

/** @returns {boolean} whether dist/ is whole, newer than its sources and made with the settings of now */
export function buildIsFresh(root) {
  const file = stampFile(join(root, 'dist'));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== JSON.stringify(settings())) return false;
  const built = statSync(file).mtimeMs;
  const content = process.env.CONTENT_DIR ? [process.env.CONTENT_DIR] : [];
  return [...SOURCES.map((source) => join(root, source)), ...content].every((source) => newest(source) <= built);
}

function stampFile(folder) {
  return join(folder, 'stamp.json');
}

function settings() {
  return Object.fromEntries(SETTINGS.map((name) => [name, process.env[name] ?? '']));
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
