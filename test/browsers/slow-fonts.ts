import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import type { Browser } from './browser.ts';
import { type ScriptGate, startScriptGate } from './script-gate.ts';

/** A page whose fonts are slow, in a browser that `open` opens. */
export function slowFonts(open: () => Promise<Browser>): void {
  let browser: Browser;
  let site: RunningSite;
  let gate: ScriptGate;

  beforeAll(async () => {
    browser = await open();
    site = await startSite();
    gate = await startScriptGate(site.url, /\.woff2$/);
  });

  // The last hook runs first: a server that stops waits for what a browser keeps open.
  afterAll(async () => {
    await browser.close();
    await gate.stop();
    await site.stop();
  });

  test('text takes as much room before its fonts come as after, so that nothing moves under the reader', async () => {
    await browser.resize(320, 640);
    await browser.open(`${gate.url}/robots.txt`);
    gate.hold();
    // A page has not loaded until its fonts have: this does not wait for them.
    await browser.evaluate(() => window.location.assign('/'));
    await expect.poll(readPage, { timeout: 10_000 }).toMatchObject({ isParsed: true, fonts: 'loading' });
    const { height } = (await readPage())!;
    gate.release();
    await expect.poll(readPage, { timeout: 10_000 }).toMatchObject({ fonts: 'loaded' });
    expect(Math.abs((await readPage())!.height / height - 1)).toBeLessThan(0.02);
  });

  /** The page as it is now; nothing while one is being left. */
  const readPage = () =>
    browser
      .evaluate(() => ({
        isParsed: document.readyState !== 'loading' && document.querySelector('footer') !== null,
        fonts: document.fonts.status,
        height: document.querySelector('main')!.getBoundingClientRect().height,
      }))
      .catch(() => undefined);
}
