import type { Page } from '@playwright/test';
import { onPhone, type StoredState } from './browser.ts';

/** How long a tapped control took to answer, and what is wrong with an empty form to be said; in milliseconds. */
export type Tap = { control: string; answer: number; message: number };

/** The form's button, whose message is awaited as well. */
export const JOIN = 'Join the List';

const CONTROLS =
  'a[href]:visible, button:visible, summary:visible, :is(input, select, textarea):visible, [data-tooltip]';

declare global {
  interface Window {
    tap: { at: number; answer: number; message: number };
  }
}

/**
 * Taps controls of a page at rest, each cold: in a browser of its own, at once after the jump to it, before anything it
 * needs can have come.
 * @param only the words of one control; without it, one of each kind that the page shows
 */
export async function measureTaps(url: string, stored: StoredState, only?: string): Promise<Tap[]> {
  const kindsOf = (page: Page) => page.locator(CONTROLS).evaluateAll(firstOfEachKind);
  const taps: Tap[] = [];
  for (const { kind, control } of await atRest(url, stored, kindsOf)) {
    if (only !== undefined && control !== only) continue;
    const tap = await atRest(url, stored, async (page) => {
      const { index } = (await kindsOf(page)).find((each) => each.kind === kind)!;
      // The element itself: the jump changes what is seen, and so the order.
      const place = await page.locator(CONTROLS).nth(index).elementHandle();
      // First the jump, then the tap without any check, which would take its time.
      await place.tap({ trial: true });
      await place.tap({ force: true });
      if (control === JOIN) await page.waitForFunction(() => window.tap.message > 0, undefined, { timeout: 15_000 });
      await page.waitForTimeout(1000);
      return page.evaluate(() => window.tap);
    });
    taps.push({ control, ...tap });
  }
  return taps;
}

function atRest<Value>(url: string, stored: StoredState, use: (page: Page) => Promise<Value>): Promise<Value> {
  return onPhone(stored, async (page) => {
    await page.addInitScript(watchTap);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(4000);
    return use(page);
  });
}

/** Runs in the page: buttons differ by their words, other controls by their look and whether they leave the page. */
function firstOfEachKind(elements: Element[]): { kind: string; index: number; control: string }[] {
  const kinds = new Map<string, { kind: string; index: number; control: string }>();
  for (const [index, element] of elements.entries()) {
    // Out of reach: the field for robots, and the skip link until it has the focus.
    if (element.getAttribute('tabindex') === '-1' || getComputedStyle(element).pointerEvents === 'none') continue;
    const label = (element as HTMLInputElement).labels?.[0];
    const words = [element.ariaLabel, element.textContent, label?.textContent].find((each) => each?.trim()) ?? '';
    const look = [element.localName, element.className, element.getAttribute('href')?.startsWith('#')].join(' ');
    const kind = element.localName === 'button' ? words : look;
    if (!kinds.has(kind)) kinds.set(kind, { kind, index, control: words.trim() || look });
  }
  return [...kinds.values()];
}

/** Runs in the page: notes the longest of a tap's events, each up to the next frame, and when a message was painted. */
function watchTap(): void {
  const tap = { at: 0, answer: 0, message: 0 };
  window.tap = tap;
  const observer = new PerformanceObserver((list) => {
    const events = list.getEntries() as PerformanceEventTiming[];
    for (const { interactionId, duration } of events) if (interactionId) tap.answer = Math.max(tap.answer, duration);
  });
  const withShort = { type: 'event', durationThreshold: 16 };
  observer.observe(withShort);
  document.addEventListener('pointerdown', ({ timeStamp }) => (tap.at ||= timeStamp), true);
  // Nobody leaves the page.
  window.addEventListener('click', (click) => {
    if ((click.target as Element).closest('a:not([href^="#"])')) click.preventDefault();
  });
  const note = () => requestAnimationFrame(() => setTimeout(() => (tap.message ||= performance.now() - tap.at)));
  // The browser's own bubble, where no script takes its place.
  document.addEventListener('invalid', note, true);
  new MutationObserver(() => {
    if (tap.at > 0 && document.body.textContent.includes('Please enter your email address')) note();
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
