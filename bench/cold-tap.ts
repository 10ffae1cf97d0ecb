import { onPhone, slowDown, type StoredState } from './browser.ts';
import type { Reading } from './metrics.ts';

declare global {
  interface Window {
    tap: { at: number; response: number; message: number };
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
    const place = await page.evaluate(() => {
      // The banner is asked about elsewhere; here it would lie over the button.
      document.querySelector('#cookie-banner')?.remove();
      const button = document.querySelector('form button[type=submit]');
      button?.scrollIntoView({ behavior: 'instant', block: 'center' });
      return button?.getBoundingClientRect().toJSON() as DOMRect | undefined;
    });
    if (place === undefined) return {};
    await page.touchscreen.tap(place.x + place.width / 2, place.y + place.height / 2);
    await page.waitForFunction(() => window.tap.message > 0, undefined, { timeout: 15_000 });
    const { at, response, message } = await page.evaluate(() => window.tap);
    return { tapToResponse: response - at, tapToMessage: message - at };
  });
}

/** Runs in the page: notes when the tap came, and when the first change and the message were painted. */
function watchTap(): void {
  const tap = { at: 0, response: 0, message: 0 };
  window.tap = tap;
  const note = (...what: ('response' | 'message')[]) => {
    if (tap.at === 0) return;
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      for (const each of what) tap[each] ||= performance.now();
    });
    port1.start();
    requestAnimationFrame(() => port2.postMessage(undefined));
  };
  document.addEventListener('pointerdown', ({ timeStamp }) => (tap.at ||= timeStamp), true);
  // The browser's own bubble, where no script takes its place.
  document.addEventListener('invalid', () => note('response', 'message'), true);
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
