/** `npm run updates`: runs the command from its sources. Its mails are React, which Node alone does not read. */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as Updates from '#owner/updates/updates.ts';
import { contentPlugin } from './build/content-plugin.ts';
import { picturesPlugin } from './build/pictures-plugin.ts';
import { exitOnMistake } from '#content/exit-on-mistake.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const contentFolder = process.env.CONTENT_DIR ?? `${root}content`;

try {
  const { module } = await runnerImport<typeof Updates>('/src/owner/updates/updates.ts', {
    root,
    logLevel: 'silent',
    plugins: [contentPlugin(contentFolder), picturesPlugin(contentFolder)],
  });
  const places = { updates: `${contentFolder}/updates`, publicFiles: `${root}public` };
  process.exitCode = await module.runUpdates(process.argv, places);
} catch (error) {
  exitOnMistake(error);
}
