import { onPhone, slowDown, type StoredState } from './browser.ts';
import type { Reading } from './metrics.ts';

/** Milliseconds in which a page must have answered a tap. */
const TIMEOUT_MS = 15_000;

declare global {
  interface Window {
    tap: { at?: number; response?: number; message?: number };
  }
}

/**
 * Jumps to the first sign-up of a page at rest and taps its button at once, before anything it needs can have come.
 * Both times end with the frame that shows the change: the first response is whatever the form shows of the tap, the
 * message what is wrong with the empty form.
 */
export function measureColdTap(url: string, stored: StoredState): Promise<Reading> {
  return onPhone(stored, async (page) => {
    await slowDown(await page.context().newCDPSession(page));
    await page.addInitScript(watchTap);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(4000);
    // The banner is asked about elsewhere; here it would lie over the button.
    const place = await page.evaluate(() => {
      document.querySelector('#cookie-banner')?.remove();
      const button = document.querySelector('form button[type=submit]');
      if (button === null) return undefined;
      button.scrollIntoView({ behavior: 'instant', block: 'center' });
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    if (place === undefined) return {};
    await page.touchscreen.tap(place.x, place.y);
    await page.waitForFunction(() => Number.isFinite(window.tap.message), undefined, { timeout: TIMEOUT_MS });
    const { at = 0, response = Number.NaN, message = Number.NaN } = await page.evaluate(() => window.tap);
    return { tapToResponse: response - at, tapToMessage: message - at };
  });
}

/** Runs in the page: notes when the tap came, and when the first change and the message were painted. */
function watchTap(): void {
  const tap: Window['tap'] = {};
  window.tap = tap;
  const note = (what: 'response' | 'message') => {
    if (tap.at === undefined || tap[what] !== undefined) return;
    tap[what] = Number.POSITIVE_INFINITY;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        tap[what] = performance.now();
      });
      port1.start();
      port2.postMessage(undefined);
    });
  };
  document.addEventListener('pointerdown', ({ timeStamp }) => (tap.at ??= timeStamp), true);
  // The browser's own bubble, where no script takes its place.
  document.addEventListener(
    'invalid',
    () => {
      note('response');
      note('message');
    },
    true,
  );
  const isSeen = ({ target, attributeName }: MutationRecord) =>
    attributeName === null
      ? document.body?.contains(target)
      : ['aria-busy', 'disabled', 'aria-invalid'].includes(attributeName);
  new MutationObserver((changes) => {
    if (!changes.some(isSeen)) return;
    note('response');
    if (document.body.textContent.includes('Please enter your email address')) note('message');
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}
