import { launch } from 'puppeteer-core';
import { CHROMIUM_FLAGS, findOrInstallChromium, findOrInstallFirefox } from '../../tools/setup/browsers.ts';
import type { Browser } from './browser.ts';

/** Chromium, or the Firefox that the machine's own package brings, driven over WebDriver BiDi. */
export async function openBrowser(name: 'chrome' | 'firefox'): Promise<Browser> {
  const browser = await launch({
    browser: name,
    ...(name === 'chrome'
      ? { executablePath: findOrInstallChromium(), args: CHROMIUM_FLAGS }
      : { executablePath: findOrInstallFirefox() }),
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const locate = (xpath: string) => page.locator(`::-p-xpath(${xpath})`);
  return {
    open: async (url) => {
      await page.goto(url);
    },
    click: (xpath) => locate(xpath).click(),
    type: (xpath, text) => locate(xpath).fill(text),
    evaluate: (run, ...given) => {
      const expression = `(${run.toString()})(...${JSON.stringify(given)})`;
      return page.evaluate(expression) as Promise<ReturnType<typeof run>>;
    },
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  };
}
