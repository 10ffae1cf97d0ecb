import { beforeAll, expect, test } from 'vitest';
import { content } from '../test-content.ts';
import { CONSENT, EMAIL, type FormVisit, JOIN, openDecided, shows } from './form-visit.ts';

/** A form as a browser shows it after a reload. */
export function unchangedForm(visit: FormVisit): void {
  beforeAll(() => openDecided(visit));

  // The browser fills it in again without an event.
  test('what the browser restores after a reload is what is sent', async () => {
    const { browser, site } = visit;
    // Not through the gate, which lets a browser keep nothing.
    await openDecided(visit, site.url);
    await browser.open(site.url);
    await browser.click(CONSENT);
    // The list's last role, as a hand would.
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

/** A page whose fonts are slow, in a browser that has shown none of them before. */
export function slowFonts(visit: FormVisit): void {
  test('text takes as much room before its fonts come as after, so that nothing moves under the reader', async () => {
    const { browser, gate } = visit;
    await browser.resize(320, 640);
    await browser.open(`${gate.url}/robots.txt`);
    gate.hold(/\.woff2$/);
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
    visit.browser
      .evaluate(() => ({
        isParsed: document.readyState !== 'loading' && document.querySelector('footer') !== null,
        fonts: document.fonts.status,
        height: document.querySelector('main')!.getBoundingClientRect().height,
      }))
      .catch(() => undefined);
}
