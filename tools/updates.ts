/** `npm run updates`: runs the command from its sources. Its mails are React, which Node alone does not read. */
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import type * as Updates from '#receiver/command/updates.ts';
import { brandPlugin } from './build/brand-plugin.ts';
import { contentPlugin } from './build/content-plugin.ts';
import { ContentError } from '#content/read-content.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const contentFolder = process.env.CONTENT_DIR ?? `${root}content`;

const vite = await createServer({
  configFile: false,
  root,
  logLevel: 'silent',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  // Mails wear the owner's colours.
  plugins: [contentPlugin(contentFolder), brandPlugin(contentFolder)],
});
try {
  const { runUpdates } = (await vite.ssrLoadModule('/src/receiver/command/updates.ts')) as typeof Updates;
  process.exitCode = await runUpdates(process.argv, {
    updates: `${contentFolder}/updates`,
    publicFiles: `${root}public`,
  });
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await vite.close();
}
