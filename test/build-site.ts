import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Builds the site into a folder of its own.
 * @param env what differs from the project's own build: SITE_URL, NEWSLETTER_ENDPOINT, CONTENT_DIR
 * @returns the folder, with `site` and `server` in it; the caller removes it
 */
export async function buildSite(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'site-build-'));
  const build = fileURLToPath(new URL('../tools/build/build.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [build], { env: { PATH: process.env.PATH, OUT_DIR: folder, ...env } });
  return folder;
}
