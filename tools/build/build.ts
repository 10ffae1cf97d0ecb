/** `npm run build`: leaves dist/site (static, ready for any host) and dist/server; `OUT_DIR` puts them elsewhere. */
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createBuilder, createLogger, type Manifest } from 'vite';
import { parseEnvironment } from '../../src/env.ts';
import { siteSettings } from '../../src/site-settings.ts';
import config, { fonts, styles } from '../../vite.config.ts';
import { stampBuild } from '../setup/build-stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = process.env.OUT_DIR ?? `${root}dist`;
const started = performance.now();
const settings = siteSettings(parseEnvironment(process.env));

await rm(`${out}`, { recursive: true, force: true });
const builder = await createBuilder({
  ...config({ command: 'build', mode: 'production' }),
  configFile: false,
  root,
  logLevel: 'warn',
  customLogger: quietLogger(),
});
// The server first: what it renders decides which styles the browser's build leaves out.
await builder.build(builder.environments.ssr!);
await builder.build(builder.environments.client!);

await rename(`${out}/site/.vite/manifest.json`, `${out}/server/manifest.json`);
await rm(`${out}/site/.vite`, { recursive: true });
const manifest: Manifest = JSON.parse(await readFile(`${out}/server/manifest.json`, 'utf8'));
const assets = {
  styles: styles.pages,
  wake: [addressOf('src/site/islands/wake.ts')],
  notFound: addressOf('src/site/not-found/log-bad-path.ts'),
  fonts: (await fonts.files()).map((file) => `/${file}`),
};
// Pictures that only the server's side names; its stylesheets are in the documents already.
await cp(`${out}/server/assets`, `${out}/site/assets`, {
  recursive: true,
  filter: (file) => !file.endsWith('.css'),
});
await rm(`${out}/server/assets`, { recursive: true });
await writeFile(`${out}/server/site.json`, JSON.stringify({ assets, settings }));

const { prerenderSite } = await import(pathToFileURL(`${out}/server/prerender.js`).href);
const files: string[] = await prerenderSite(`${out}/site`, { assets, settings });
stampBuild(out);
console.log(`Built ${files.length} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`);

function addressOf(source: string): string {
  const file = manifest[source]?.file;
  if (file === undefined) throw new Error(`The build has no script for ${source}`);
  return `/${file}`;
}

/** Vite's warnings, but for those that say what is meant to be so. */
function quietLogger() {
  const logger = createLogger('warn');
  const { warn, warnOnce } = logger;
  // The fonts are written by a plugin of ours; "use client" means nothing where everything is built for one side.
  const expected = /\.woff2 referenced in|MODULE_LEVEL_DIRECTIVE/;
  logger.warn = (message, options) => {
    if (!expected.test(message)) warn(message, options);
  };
  logger.warnOnce = (message, options) => {
    if (!expected.test(message)) warnOnce(message, options);
  };
  return logger;
}
