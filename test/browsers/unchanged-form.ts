import { beforeAll, expect, test } from 'vitest';
import { content } from '../test-content.ts';
import { CONSENT, EMAIL, type FormVisit, JOIN, openDecided, shows } from './form-visit.ts';

/** Tests a form that the browser restores after a reload. */
export function unchangedForm(visit: FormVisit): void {
  beforeAll(() => openDecided(visit));

  // The browser restores the fields without an event.
  test('sends what the browser restored after a reload', async () => {
    const { browser, site } = visit;
    // Not through the gate, which disables the browser's cache.
    await openDecided(visit, site.url);
    await browser.open(site.url);
    await browser.click(CONSENT);
    // Chooses the last role by keyboard.
    await browser.evaluate(() => document.querySelector<HTMLSelectElement>('form select')!.focus());
    await browser.press('End');
    await browser.click(EMAIL);
    for (const key of 'restored@example.org') await browser.press(key);
    await browser.evaluate(() => {
      Object.assign(window, { isOld: true });
      location.reload();
    });
    const isReloaded = () =>
      browser.evaluate(() => !('isOld' in window) && document.readyState === 'complete').catch(() => false);
    await expect.poll(isReloaded).toBe(true);
    expect(await readFields()).toEqual(['restored@example.org', 'Other', true]);

    await browser.click(JOIN);
    await expect.poll(() => shows(visit, content.home.earlySignUp.doneHeading)).toBe(true);
    expect(site.signUps()).toContainEqual(expect.objectContaining({ email: 'restored@example.org', role: 'Other' }));
  });

  const readFields = () =>
    visit.browser.evaluate(() => {
      const { elements } = document.querySelector('form')!;
      const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
      return [field('email').value, field('role').value, field('consent').checked];
    });
}

/** Tests a page with slow fonts, none of which are in the browser's cache. */
export function slowFonts(visit: FormVisit): void {
  test('text takes up the same space before and after its fonts load', async () => {
    const { browser, gate } = visit;
    await browser.resize(320, 640);
    await browser.open(`${gate.url}/robots.txt`);
    gate.hold(/\.woff2$/);
    // Opening it would wait for the fonts.
    await browser.evaluate(() => window.location.assign('/'));
    await expect.poll(readPage, { timeout: 10_000 }).toMatchObject({ isParsed: true, fonts: 'loading' });
    const { height } = (await readPage())!;
    gate.release();
    await expect.poll(readPage, { timeout: 10_000 }).toMatchObject({ fonts: 'loaded' });
    expect(Math.abs((await readPage())!.height / height - 1)).toBeLessThan(0.02);
  });

  /** The current state of the page; undefined during a navigation. */
  const readPage = () =>
    visit.browser
      .evaluate(() => ({
        isParsed: document.readyState !== 'loading' && document.querySelector('footer') !== null,
        fonts: document.fonts.status,
        height: document.querySelector('main')!.getBoundingClientRect().height,
      }))
      .catch(() => undefined);
}
