import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './tools/setup/browsers.ts';

export default defineConfig({
  testDir: 'test',
  globalSetup: './test/global-setup.ts',
  testMatch: ['e2e/**/*.test.ts', 'accessibility/**/*.test.ts'],
  fullyParallel: true,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  outputDir: 'test-results/artifacts',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    launchOptions: {
      executablePath: findOrInstallChromium(),
      args: CHROMIUM_FLAGS,
    },
    trace: 'retain-on-failure',
  },
});
