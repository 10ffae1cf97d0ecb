import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS, findHeadlessShell } from '../../tools/setup/browsers.ts';
import type { Browser } from './browser.ts';

/** Chromium, driven by Playwright. */
export async function openChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findHeadlessShell(), args: CHROMIUM_FLAGS });
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  return {
    open: async (url) => {
      await page.goto(url);
    },
    click: (xpath) => page.locator(`xpath=${xpath}`).click(),
    press: (key) => page.keyboard.press(key),
    evaluate: (run, ...given) => page.evaluate(`(${run.toString()})(...${JSON.stringify(given)})`),
    resize: (width, height) => page.setViewportSize({ width, height }),
    close: () => browser.close(),
  };
}
