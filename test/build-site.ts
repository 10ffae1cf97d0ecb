import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TEST_CONTENT } from './test-content.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the tests' own content into a folder of its own.
 * @param env what differs: SITE_URL, NEWSLETTER_ENDPOINT, CONTENT_DIR
 * @returns the folder, with `site` and `server` in it; the caller removes it
 */
export async function buildSite(env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'site-build-'));
  await buildInto(folder, { CONTENT_DIR: TEST_CONTENT, ...env });
  return folder;
}

/**
 * @param env variables of the build; those of this process do not reach it
 * @throws {Error} with what the build printed
 */
export async function buildInto(folder: string, env: Record<string, string>): Promise<void> {
  const build = promisify(execFile)(process.execPath, [join(root, 'tools/build/build.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, OUT_DIR: folder, ...env },
  });
  await build.catch((error: Error & { stderr?: string }) => {
    throw new Error(`The site of ${env.CONTENT_DIR ?? 'content/'} was not built:\n${error.stderr ?? error.message}`);
  });
}
