import type { Page } from '@playwright/test';
import { onPhone, type StoredState } from './visit.ts';

/** How long a tapped control took to answer, and what is wrong with an empty form to be said; in milliseconds. */
export type Tap = { control: string; answer: number; message: number };

/** The form's button, whose message is awaited as well. */
export const JOIN = 'Join the List';

/** Not the field for robots, which nobody reaches. */
const CONTROLS = ':is(a[href], button, summary, input, select, textarea):not([tabindex="-1"]):visible, [data-tooltip]';

/**
 * Taps controls of a page at rest, each cold: in a browser of its own, at once after the jump to it, before anything it
 * needs can have come.
 * @param only the words of one control; without it, one of each kind that the page shows
 */
export async function measureTaps(url: string, stored: StoredState, only?: string): Promise<Tap[]> {
  const found = await atRest(url, stored, (page) => page.locator(CONTROLS).evaluateAll(firstOfEachKind));
  const taps: Tap[] = [];
  for (const { control, index } of found.filter((each) => only === undefined || each.control === only)) {
    const tap = await atRest(url, stored, async (page) => {
      // The element itself: the jump changes what is seen, and so the order.
      const place = await page.locator(CONTROLS).nth(index).elementHandle();
      const noted = await page.evaluateHandle(watchTap);
      // First the jump, then the tap without any check, which would take its time.
      await place.tap({ trial: true });
      await place.tap({ force: true });
      if (control === JOIN) await page.waitForFunction(({ message }) => message > 0, noted, { timeout: 15_000 });
      await page.waitForTimeout(1000);
      return noted.jsonValue();
    });
    taps.push({ control, ...tap });
  }
  return taps;
}

function atRest<Value>(url: string, stored: StoredState, use: (page: Page) => Promise<Value>): Promise<Value> {
  return onPhone(stored, async (page) => {
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(4000);
    return use(page);
  });
}

/** Runs in the page: buttons and fields differ by their words, links and questions by their look. */
function firstOfEachKind(elements: Element[]): { control: string; index: number }[] {
  const kinds = new Map<string, { control: string; index: number }>();
  for (const [index, element] of elements.entries()) {
    // The skip link is out of reach until it has the focus.
    if (getComputedStyle(element).pointerEvents === 'none') continue;
    const label = (element as HTMLInputElement).labels?.[0];
    const look = [element.localName, element.className, element.getAttribute('href')?.startsWith('#')].join(' ');
    const words = [element.ariaLabel, element.textContent, label?.textContent].map((each) => each?.trim());
    const control = words.find(Boolean) ?? look;
    const kind = element.matches('a, summary, [data-tooltip]') ? look : control;
    if (!kinds.has(kind)) kinds.set(kind, { control, index });
  }
  return [...kinds.values()];
}

/** Runs in the page: notes the longest of a tap's events, each up to the next frame, and when a message was painted. */
function watchTap() {
  const tap = { at: 0, answer: 0, message: 0 };
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
  return tap;
}
