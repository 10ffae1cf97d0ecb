import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findHeadlessShell } from './tools/setup/browsers.ts';

export default defineConfig({
  testDir: 'test',
  globalSetup: './test/global-setup.ts',
  // Patterns would match any path that holds a folder of such a name, even the project's own.
  projects: [{ testDir: 'test/e2e' }, { testDir: 'test/accessibility' }],
  fullyParallel: true,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // Tests wait for the page more than they compute.
  workers: 3,
  outputDir: 'test-results/artifacts',
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    // Tests of motion ask for it: what moves costs a third more time, and tells the others nothing.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findHeadlessShell(),
      args: CHROMIUM_FLAGS,
    },
    // A trace of every test costs a third of the time: `--trace on` makes one of a test that failed. A screenshot of
    // failures alone is taken at the end of every test, and waits 5 s where a test holds the fonts.
  },
});
