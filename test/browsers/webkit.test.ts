import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import type { Browser } from './browser.ts';
import { openWebKit, whatWebKitMisses } from './webkit-browser.ts';
import { changedForm } from './changed-form.ts';
import { isUnmet } from '../machine-needs.ts';
import { walk } from './walk.ts';

describe.skipIf(isUnmet('WebKit', whatWebKitMisses() !== undefined))('WebKit', () => {
  describe('a visit', () => {
    walk(openWebKit);
  });
  describe('a form that something else has changed', () => {
    changedForm(openWebKit);
  });
  describe('a page of every width that a phone has', () => {
    phoneWidths();
  });
});

/** WebKit 2.50, as Safari 26, ends the page where it wraps some lines by `text-wrap: pretty`. */
function phoneWidths(): void {
  let browser: Browser;
  let site: RunningSite;

  beforeAll(async () => {
    browser = await openWebKit();
    site = await startSite();
  });

  // The last hook runs first: a server that stops waits for what a browser keeps open.
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });

  test.each(['/', '/privacy-policy', '/missing'])('%s is laid out', async (path) => {
    await browser.open(site.url + path);
    // MiniBrowser's own bar keeps its window wider than most phones.
    await browser.resize(450, 800);
    for (let width = 320; width <= 450; width += 2) {
      const layOut = (pixels: number) => {
        document.body.style.width = `${pixels}px`;
        return document.body.offsetHeight;
      };
      expect(await browser.evaluate(layOut, width), `the page's height at ${width} px`).toBeGreaterThan(0);
    }
  });
}
