import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { precompress } from '../tools/build/precompress.ts';
import { withoutScripts } from '../tools/check/without-scripts.ts';
import { type Running, serveStatic, startServer } from './server.ts';

/** A build under measurement, served on this machine. */
export type RunningBuild = Running & { name: string };

/** The site as it is built, on its own server. */
export async function serveSite(build: string): Promise<RunningBuild> {
  return { name: 'site', ...(await startServer(build)) };
}

/** The same pages without any script, on the same server. */
export async function serveBaseline(build: string): Promise<RunningBuild> {
  const folder = await changed(build, withoutScripts);
  const { url, stop } = await startServer(folder);
  return { name: 'baseline', url, stop: () => stop().then(() => rm(folder, { recursive: true })) };
}

/** The same pages without scripts, web fonts and drawings: as little as these words and styles can be. */
export async function serveBare(build: string): Promise<RunningBuild> {
  const folder = await changed(build, (html) =>
    withoutScripts(html)
      .replace(/<link\b[^>]*as="font"[^>]*>/g, '')
      .replace(/@font-face\s*\{[^}]*\}/g, '')
      .replace(/<svg\b.*?<\/svg>/gs, ''),
  );
  const { url, stop } = await serveStatic(join(folder, 'site'));
  return { name: 'bare', url, stop: () => stop().then(() => rm(folder, { recursive: true })) };
}

/** Any other static build. */
export async function serveOther(name: string, folder: string): Promise<RunningBuild> {
  return { name, ...(await serveStatic(folder)) };
}

async function changed(build: string, change: (html: string) => string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baseline-'));
  await cp(build, folder, { recursive: true });
  for (const file of await readdir(join(folder, 'site'))) {
    if (!file.endsWith('.html')) continue;
    const page = join(folder, 'site', file);
    await writeFile(page, change(await readFile(page, 'utf8')));
  }
  await precompress(join(folder, 'site'));
  return folder;
}
