import { findFirefox } from '../../tools/setup/browsers.ts';
import type { Browser } from './browser.ts';

/** The machine's Firefox, driven over WebDriver BiDi. */
export async function openFirefox(): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  const browser = await launch({ browser: 'firefox', executablePath: findFirefox()! });
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const locate = (xpath: string) => page.locator(`::-p-xpath(${xpath})`);
  return {
    open: async (url) => {
      await page.goto(url);
    },
    click: (xpath) => locate(xpath).click(),
    press: (key) => page.keyboard.press(key),
    evaluate: (run, ...given) =>
      page.evaluate(`(${run.toString()})(...${JSON.stringify(given)})`) as Promise<ReturnType<typeof run>>,
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  };
}
