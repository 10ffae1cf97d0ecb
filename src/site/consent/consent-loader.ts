import { HAS_TAGS, VERSION } from 'virtual:consent-question';
import { readConsent } from './consent-rules.ts';
import { readStored } from './consent-storage.ts';

/** Latest start of what may wait for an idle moment, in milliseconds. */
const TIMEOUT_MS = 2000;

/**
 * Once the page has loaded and the browser is idle, reads what the visitor chose before, and brings in the banner only
 * where a choice is missing: it needs React. Cookie Settings brings it in at any time.
 */
export function loadConsent(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-cookie-settings]');
    if (link === null) return;
    event.preventDefault();
    // Without the banner the link leads where it says.
    showBanner(link).catch(() => window.location.assign(link.href));
  });
  void whenIdle(async () => {
    if (!isGiven()) await showBanner();
    else if (HAS_TAGS) await import('./consent.ts');
  });
}

function isGiven(): boolean {
  const question = { version: VERSION, hasTags: HAS_TAGS };
  return readConsent(readStored(), Date.now(), question).status === 'given';
}

async function showBanner(opener?: HTMLElement): Promise<void> {
  const banner = await import('./show-banner.tsx');
  await banner.showBanner(opener);
}

/** Nothing that can wait competes with what the page itself still loads and paints. */
async function whenIdle(task: () => Promise<void>): Promise<void> {
  await Promise.all([loaded(), painted()]);
  if ('requestIdleCallback' in window) window.requestIdleCallback(task, { timeout: TIMEOUT_MS });
  // Safari has no idle callback: there, the moment after painting has to do.
  else setTimeout(task, 200);
}

function loaded(): Promise<unknown> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/** The first paint, or a while without news of it: who resists fingerprinting does not tell, and a hidden tab does not paint. */
function painted(): Promise<unknown> {
  return new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, TIMEOUT_MS);
  });
}
