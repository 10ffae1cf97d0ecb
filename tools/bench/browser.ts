import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from '../setup/chromium.mjs';

/** The phone that Lighthouse emulates. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'en-GB',
};

/** Lighthouse's mobile conditions: a processor four times slower than this machine's, and slow 4G. */
export const CPU_SLOWDOWN = 4;
export const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1638.4 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

export const BROWSER: LaunchOptions & { executablePath: string; args: string[] } = {
  executablePath: findOrInstallChromium(),
  args: CHROMIUM_FLAGS,
};

/** Each measurement has a browser of its own, so that none finds what another left: heap, caches, compiled code. */
export async function inFreshBrowser<Value>(use: (browser: Browser) => Promise<Value>): Promise<Value> {
  const browser = await chromium.launch(BROWSER);
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
