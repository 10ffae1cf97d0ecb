/** Latest start of what may wait for an idle moment, in milliseconds. */
const PATIENCE_MS = 2000;

/**
 * Once the browser is idle, reads what the visitor chose before, and brings in the banner only where a choice is
 * missing: it needs React. Cookie Settings brings it in at any time.
 */
export function loadConsent(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-cookie-settings]');
    if (link === null) return;
    event.preventDefault();
    // Without the banner the link leads where it says.
    showBanner(link).catch(() => window.location.assign(link.href));
  });
  whenIdle(async () => {
    const { currentConsent } = await import('./consent.ts');
    if (currentConsent().status !== 'given') await showBanner();
  });
}

async function showBanner(opener?: HTMLElement): Promise<void> {
  const banner = await import('./show-banner.tsx');
  await banner.showBanner(opener);
}

/** Safari has no idle callback: there, the moment after loading has to do. */
function whenIdle(task: () => Promise<void>): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(task, { timeout: PATIENCE_MS });
  else setTimeout(task, 200);
}
