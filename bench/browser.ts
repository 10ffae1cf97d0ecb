import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from '../tools/setup/browsers.ts';

/** What an earlier visit left in the browser's storage; undefined on a first visit. */
export type StoredState = Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

export const BROWSER = { executablePath: findOrInstallChromium(), args: CHROMIUM_FLAGS };

/** The phone that Lighthouse emulates. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'en-GB',
};

/** Lighthouse's mobile conditions: a processor four times slower than this machine's, and slow 4G. */
const CPU_SLOWDOWN = 4;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1638.4 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

/** A page on a slow phone, in a browser of its own: it finds no heap, cache or compiled code of another. */
export async function onPhone<Value>(
  storageState: StoredState,
  use: (page: Page, session: CDPSession) => Promise<Value>,
): Promise<Value> {
  await using browser = await chromium.launch(BROWSER);
  const context = await browser.newContext({ ...PHONE, ...(storageState && { storageState }) });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return await use(page, session);
}
