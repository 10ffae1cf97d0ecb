import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { fontsPlugin } from './tools/build/fonts-plugin.ts';
import { stylesPlugin } from './tools/build/styles-plugin.ts';
import { picturesPlugin } from './tools/build/pictures-plugin.ts';
import { contentPlugin } from './tools/build/content-plugin.ts';

// Tests belong to the software: they read no word of the owner's content/.
const contentFolder = fileURLToPath(new URL('./test/content', import.meta.url));

export default defineConfig({
  plugins: [
    contentPlugin(contentFolder),
    fontsPlugin(contentFolder).plugin,
    picturesPlugin(contentFolder),
    stylesPlugin(fileURLToPath(new URL('./src/site', import.meta.url))).plugin,
  ],
  test: {
    // Tests of servers wait more than they compute; Vitest would leave one of two cores to itself.
    maxWorkers: 4,
    // The files of a worker share its modules, which hold no state: to load them for each takes a third of the time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['test/no-console-errors.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,tools,integrations}/**/*.test.ts'], environment: 'node' },
      },
      {
        extends: true,
        test: { name: 'component', include: ['src/**/*.test.tsx'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: ['test/site/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'newsletter',
          include: ['test/newsletter/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/global-setup.ts', 'test/newsletter/postgres-server.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // The only one of its three that npm test runs.
          name: 'chromium',
          include: ['test/browsers/chromium.test.ts'],
          environment: 'node',
          globalSetup: ['test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browsers',
          include: ['test/browsers/{firefox,webkit}.test.ts'],
          environment: 'node',
          globalSetup: ['test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
