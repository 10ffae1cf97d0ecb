import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findHeadlessShell } from './tools/setup/browsers.ts';

export default defineConfig({
  testDir: 'test',
  globalSetup: './test/global-setup.ts',
  // A pattern would match any path with a folder of this name, even the project's own.
  projects: [{ testDir: 'test/e2e' }, { testDir: 'test/accessibility' }],
  fullyParallel: true,
  // For busy machines.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // Tests wait for the page more than they compute.
  workers: 3,
  outputDir: 'test-results/artifacts',
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    // Only tests of motion turn it on: animations take a third more time.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findHeadlessShell(),
      args: CHROMIUM_FLAGS,
    },
    // A trace of every test costs a third of the time: `--trace on` makes one of a test that failed. A screenshot of
    // failures alone is taken at the end of every test, and waits 5 s if a test delays the fonts.
  },
});
