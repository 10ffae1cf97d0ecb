import { cp, glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { precompress } from '../tools/build/precompress.ts';
import { withoutScripts } from '../tools/check/without-scripts.ts';
import { BUILD, dataFolder } from './server.ts';

/** The build with its pages changed, in a folder that goes when it is disposed of. */
export async function changedBuild(change: (html: string) => string) {
  const folder = await dataFolder();
  const site = join(folder.path, 'site');
  await cp(BUILD, folder.path, { recursive: true });
  for await (const file of glob('*.html', { cwd: site })) {
    await writeFile(join(site, file), change(await readFile(join(site, file), 'utf8')));
  }
  await precompress(site);
  return folder;
}

/** A page without scripts, web fonts and drawings: as little as these words and styles can be. */
export function bare(html: string): string {
  return withoutScripts(html)
    .replace(/<link\b[^>]*as="font"[^>]*>/g, '')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(/<svg\b.*?<\/svg>/gs, '');
}
