import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { BROWSER } from './browser.ts';
import type { Reading } from './metrics.ts';

/** Lighthouse's own mobile run of a first visit to the home page, in a browser of its own. */
export async function runLighthouse(url: string): Promise<Reading> {
  const chromeFlags = ['--headless=new', '--disable-gpu', ...BROWSER.args];
  const chrome = await launch({ chromePath: BROWSER.executablePath, chromeFlags });
  try {
    const result = await lighthouse(url, { port: chrome.port, onlyCategories: ['performance'], logLevel: 'error' });
    // Now and then a busy machine gives Lighthouse a trace without its beginning: that run has no figures.
    if (result === undefined || result.lhr.runtimeError) return {};
    const value = (id: string) => result.lhr.audits[id]?.numericValue ?? Number.NaN;
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
