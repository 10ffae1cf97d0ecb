/** `npm run build`: leaves dist/site (static, ready for any host) and dist/server; `OUT_DIR` puts them elsewhere. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, cp, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createBuilder, type Manifest } from 'vite';
import { loadSettings } from '#content/settings-file.ts';
import { readWholeContent } from '#content/read-whole-content.ts';
import { type BuiltSite, toPageFile } from '#server/built-site.ts';
import type * as Prerender from '#server/prerender.ts';
import { parseEnvironment } from '#shared/environment.ts';
import { pickSiteSettings } from '#shared/site-settings.ts';
import config, { contentFolder, fonts, styles } from '../../vite.config.ts';
import { stampBuild } from '../setup/build-stamp.mjs';
import { readMarks } from './brand-drawings.ts';
import { writeHostingFiles } from './hosting-files.ts';
import { drawIcons } from './icons.ts';
import { precompress } from './precompress.ts';
import { drawShareImages } from './share-images.ts';
import { writeStarters } from './starters.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = process.env.OUT_DIR ?? `${root}dist`;
const started = new Date();
const readOwners = async () => {
  loadSettings();
  return {
    settings: pickSiteSettings(parseEnvironment(process.env)),
    content: await readWholeContent(contentFolder),
  };
};
const { settings, content } = await readOwners().catch((error: Error) => {
  if (!['ContentError', 'EnvironmentError'].includes(error.name)) throw error;
  // The message alone: a stack would bury it.
  console.error(error.message);
  process.exit(1);
});

await rm(out, { recursive: true, force: true });
const options = config({ command: 'build', mode: 'production' });
const builder = await createBuilder({ ...options, configFile: false, root, logLevel: 'warn' });
// The server first: what it renders decides which styles the browser's build leaves out.
await builder.build(builder.environments.ssr!);
const { prerenderSite, SITE_PAGES, THEME_COLOUR }: typeof Prerender = await import(
  pathToFileURL(`${out}/server/prerender.js`).href
);
await builder.build(builder.environments.client!);
const { mark, mailMark } = await readMarks(contentFolder, content.brand);
const look = { agencyName: content.agency.name, mark, brand: content.brand };
const shareImages = await drawShareImages(`${out}/site`, SITE_PAGES, look);
await drawIcons(`${out}/site`, { mark, mailMark, background: THEME_COLOUR });
await appendFile(`${out}/site/licenses.txt`, await fonts.licences());

await rename(`${out}/site/manifest.json`, `${out}/server/manifest.json`);
const lateStyles = `/assets/late-${hash('sha256', styles.sheets.late.css).slice(0, 8)}.css`;
await writeFile(`${out}/site${lateStyles}`, styles.sheets.late.css);
const manifest: Manifest = JSON.parse(readFileSync(`${out}/server/manifest.json`, 'utf8'));
const site: BuiltSite = {
  assets: {
    styles: styles.sheets.pages,
    lateStyles,
    loader: findScript('src/site/islands/loader.ts'),
    interactions: findScript('src/site/islands/interactions.ts'),
    fonts: await fonts.addresses(),
    shareImages,
  },
  settings,
  documents: [...SITE_PAGES.map(({ path }) => toPageFile(path)), toPageFile('/404')],
};
// Files that only the server's side names.
await cp(`${out}/server/assets`, `${out}/site/assets`, { recursive: true });
await rm(`${out}/server/assets`, { recursive: true });
await writeFile(`${out}/server/site.json`, JSON.stringify(site));
await writeStarters(`${out}/server`);

// So that the command of the build finds them on a server without the sources.
const updates = `${contentFolder}/updates`;
if (existsSync(updates)) await cp(updates, `${out}/server/updates`, { recursive: true });

await prerenderSite(`${out}/site`, site);
await precompress(`${out}/site`);
await writeHostingFiles(out, site, content.agency.tags);
stampBuild(out, started);
console.log(`Built ${SITE_PAGES.length} pages in ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s`);

function findScript(source: string): string {
  const file = manifest[source]?.file;
  if (file === undefined) throw new Error(`The build has no script for ${source}`);
  return `/${file}`;
}
