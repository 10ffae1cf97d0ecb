import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../test/running-site.ts';
import { precompress } from '../tools/build/precompress.ts';
import { serveFolder } from './serve-folder.ts';
import { withoutScripts } from './without-scripts.ts';

/** A build under measurement, served on this machine. */
export type RunningBuild = { name: string; url: string; stop: () => Promise<void> };

/** The site as it is built, on its own server. */
export async function serveBuild(name: string, build: string): Promise<RunningBuild> {
  return { name, ...(await startSite({ build })) };
}

/**
 * The baseline: the same prerendered pages with every script element and module preload removed, on the same server.
 * @param build the folder with `site` and `server` in it
 */
export async function serveBaseline(build: string): Promise<RunningBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'baseline-'));
  await cp(build, folder, { recursive: true });
  for (const file of await readdir(join(folder, 'site'))) {
    if (!file.endsWith('.html')) continue;
    const page = join(folder, 'site', file);
    await writeFile(page, withoutScripts(await readFile(page, 'utf8')));
  }
  await precompress(join(folder, 'site'));
  const site = await startSite({ build: folder });
  return {
    name: 'baseline',
    url: site.url,
    stop: async () => {
      await site.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Any other static build, with the site's own file serving but without its policy, which would forbid inline scripts. */
export async function serveOther(name: string, folder: string): Promise<RunningBuild> {
  return { name, ...(await serveFolder(folder)) };
}
