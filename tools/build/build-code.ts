import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBuilder, type Manifest } from 'vite';
import type { Code } from '#build/read-code.ts';
import { copyPublicFiles } from '#build/copy-public-files.ts';
import { listFiles } from '#content/list-files.ts';
import { makeConfig, root } from '../../vite.config.ts';

/**
 * Runs the code stage of a build, which makes the programs and the code for browsers. It doesn't read content/.
 * @param folder absolute path of a new folder, which becomes the `server` folder of the build
 */
export async function buildCode(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const builder = await createBuilder({ ...makeConfig('build', folder), configFile: false, root });
  await builder.build(builder.environments.ssr!);
  await builder.build(builder.environments.client!);
  // The server renders every component, so its bundle has all styles.
  const styles = async (name: string) => {
    const [file] = globSync(`assets/${name}-*.css`, { cwd: folder });
    if (file === undefined) throw new Error(`The build has no styles named ${name}`);
    return { css: await readFile(join(folder, file), 'utf8'), file };
  };
  const [page, late] = [await styles('page'), await styles('late')];
  const browser = join(folder, 'browser');
  for (const file of globSync('assets/*.css', { cwd: browser })) await rm(join(browser, file));
  await writeFile(join(browser, late.file), late.css);
  await rm(join(folder, 'assets'), { recursive: true });

  const manifest: Manifest = JSON.parse(await readFile(join(browser, 'manifest.json'), 'utf8'));
  await rm(join(browser, 'manifest.json'));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const findScript = (source: string) => {
    const file = manifest[source]?.file;
    if (file === undefined) throw new Error(`The build has no script for ${source}`);
    return `/${file}`;
  };
  const code: Code = {
    id: hashFiles(folder),
    loader: findScript('src/client/entry.ts'),
    interactions: findScript('src/client/interactions.ts'),
    lateStyles: `/${late.file}`,
    pageStyles: page.css,
  };
  await writeFile(join(folder, 'code.json'), JSON.stringify(code));
  await copyPublicFiles(join(root, 'public'), join(folder, 'public'));
  await cp(join(root, 'src/layout/favicon.svg'), join(folder, 'favicon.svg'));
  await cp(join(root, 'src/layout/mark.svg'), join(folder, 'mark.svg'));
  await cp(join(root, 'src/pages/home/portrait.svg'), join(folder, 'portrait.svg'));
}

function hashFiles(folder: string): string {
  const digest = createHash('sha256');
  for (const file of listFiles(folder).toSorted()) digest.update(file).update(readFileSync(join(folder, file)));
  return digest.digest('base64url').slice(0, 16);
}
