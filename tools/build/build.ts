/** `npm run build`: leaves dist/site (static, ready for any host) and dist/server; `OUT_DIR` puts them elsewhere. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createBuilder, type Manifest } from 'vite';
import { type BuiltSite, pageFile } from '#server/built-site.ts';
import type * as Prerender from '#server/prerender.ts';
import { BANNER_PATH } from '#site/consent/banner-path.ts';
import type { Script } from '#site/document.tsx';
import config, { contentFolder, fonts, styles } from '../../vite.config.ts';
import { stampBuild } from '../setup/build-stamp.mjs';
import { writeHostingFiles } from './hosting-files.ts';
import { drawIcons } from './icons.ts';
import { findPicture, MARK_FILES, toMark } from '#content/pictures.ts';
import { precompress } from './precompress.ts';
import { quietLogger } from './quiet-logger.ts';
import { readOwnersSide } from './read-owners-side.ts';
import { drawShareImages } from './share-images.ts';
import { writeStarters } from './starters.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = process.env.OUT_DIR ?? `${root}dist`;
const started = performance.now();
const { settings, agency, ...content } = await readOwnersSide(contentFolder);

await rm(out, { recursive: true, force: true });
const builder = await createBuilder({
  ...config({ command: 'build', mode: 'production' }),
  configFile: false,
  root,
  logLevel: 'warn',
  customLogger: quietLogger(),
});
// The server first: what it renders decides which styles the browser's build leaves out.
await builder.build(builder.environments.ssr!);
const { prerenderSite, SITE_PAGES, THEME_COLOUR }: typeof Prerender = await import(
  pathToFileURL(`${out}/server/prerender.js`).href
);
const mark = await toMark(findPicture(contentFolder, MARK_FILES) ?? `${root}public/favicon.svg`);
const [shareImages] = await Promise.all([
  drawShareImages(SITE_PAGES, { agencyName: agency.name, mark, brand: content.brand }),
  builder.build(builder.environments.client!),
]);
for (const { file, bytes } of Object.values(shareImages)) await writeFile(`${out}/site/${file}`, bytes);
await drawIcons(`${out}/site`, { mark, background: THEME_COLOUR });

await appendFile(`${out}/site/licenses.md`, await fonts.licences());

await rename(`${out}/site/.vite/manifest.json`, `${out}/server/manifest.json`);
await rm(`${out}/site/.vite`, { recursive: true });
const manifest: Manifest = JSON.parse(await readFile(`${out}/server/manifest.json`, 'utf8'));
const site: BuiltSite = {
  assets: {
    styles: styles.pages,
    loader: [await script('src/site/islands/loader.ts')],
    parts: (await script('src/site/islands/parts.ts')).src,
    notFound: await script('src/site/islands/log-bad-path.ts'),
    fonts: (await fonts.files()).map((file) => `/${file}`),
    shareImages: Object.fromEntries(Object.entries(shareImages).map(([path, { file }]) => [path, `/${file}`])),
  },
  settings,
  documents: [...SITE_PAGES.map(({ path }) => pageFile(path)), pageFile('/404')],
  fragments: [pageFile(BANNER_PATH)],
};
// What only the server's side names. Its stylesheets are in the documents already, but for the one that is linked.
await cp(`${out}/server/assets`, `${out}/site/assets`, {
  recursive: true,
  filter: (file) => !file.endsWith('.css') || basename(file).startsWith('print-'),
});
await rm(`${out}/server/assets`, { recursive: true });
await writeFile(`${out}/server/site.json`, JSON.stringify(site));
await writeStarters(`${out}/server`);

// So that the command of the build finds them on a server without the sources.
if (existsSync(join(contentFolder, 'updates'))) {
  await cp(join(contentFolder, 'updates'), `${out}/server/updates`, { recursive: true });
}

await prerenderSite(`${out}/site`, site);
await precompress(`${out}/site`);
await writeHostingFiles(out, site, agency.tags);
stampBuild(out);
console.log(`Built ${SITE_PAGES.length} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`);

async function script(source: string): Promise<Script> {
  const file = manifest[source]?.file;
  if (file === undefined) throw new Error(`The build has no script for ${source}`);
  const hash = createHash('sha384')
    .update(await readFile(`${out}/site/${file}`))
    .digest('base64');
  return { src: `/${file}`, integrity: `sha384-${hash}` };
}
