import { chromium } from '@playwright/test';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { BROWSER, type StoredState } from './browser.ts';
import type { Reading } from './metrics.ts';

const TRIES = 3;

/** Lighthouse's own mobile run of the home page, in a browser of its own. */
export async function runLighthouse(url: string, stored: StoredState): Promise<Reading> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await runOnce(url, stored);
    } catch (error) {
      // Now and then a busy machine gives Lighthouse a trace without its beginning.
      if (tried === TRIES) throw error;
      process.stderr.write(`Lighthouse again: ${String(error)}\n`);
    }
  }
}

async function runOnce(url: string, stored: StoredState): Promise<Reading> {
  const chrome = await launch({
    chromePath: BROWSER.executablePath,
    chromeFlags: ['--headless=new', '--disable-gpu', ...BROWSER.args],
  });
  try {
    if (stored) await restore(chrome.port, url, stored);
    const result = await lighthouse(url, { port: chrome.port, onlyCategories: ['performance'], logLevel: 'error' });
    if (result === undefined) throw new Error('Lighthouse gave no result');
    const { audits, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    return {
      fcp: value('first-contentful-paint'),
      lcp: value('largest-contentful-paint'),
      tbt: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      speedIndex: value('speed-index'),
    };
  } finally {
    chrome.kill();
  }
}

/** Lighthouse visits in the browser's own profile, so what was stored is put there beforehand. */
async function restore(port: number, url: string, { origins }: NonNullable<StoredState>) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const page = await browser.contexts()[0]!.newPage();
  await page.goto(`${url}/favicon.svg`);
  const entries = origins.flatMap(({ localStorage }) => localStorage);
  await page.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value);
  }, entries);
  await page.close();
  await browser.close();
}
