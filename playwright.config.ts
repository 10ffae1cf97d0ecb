import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findHeadlessShell } from './tools/setup/browsers.ts';

export default defineConfig({
  testDir: 'test',
  globalSetup: './test/global-setup.ts',
  // testDir rather than a testMatch pattern: a pattern also matches folders above the repository.
  projects: [{ testDir: 'test/e2e' }, { testDir: 'test/accessibility' }],
  fullyParallel: true,
  // Generous, so that tests also pass on a busy machine.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // Tests spend most of their time waiting for the page, not using the CPU.
  workers: 3,
  outputDir: 'test-results/artifacts',
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    // Only the animation tests turn motion on: with it, the run takes a third longer.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findHeadlessShell(),
      args: CHROMIUM_FLAGS,
    },
    // Tracing every test makes the run a third slower; use `--trace on` for a test that failed. `only-on-failure`
    // screenshots are still taken at the end of every test, and wait 5 s if a test delays the fonts.
  },
});
