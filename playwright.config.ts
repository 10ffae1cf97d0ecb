import { defineConfig } from '@playwright/test';
import { findOrInstallChromium } from './tools/setup/chromium.mjs';

export default defineConfig({
  testDir: 'test',
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
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    trace: 'retain-on-failure',
  },
});
