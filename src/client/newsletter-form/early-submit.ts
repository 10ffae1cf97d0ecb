import type { JOINING_LABEL } from '#shared/sign-up-rules.ts';
import type { TIMEOUT_MS } from './send-sign-up.ts';

// Types only: importing the values would add a file that the loader has to wait for.
const JOINING: typeof JOINING_LABEL = 'Joining...';

/** How long a form waits for its scripts, in milliseconds. */
const SCRIPTS_TIMEOUT_MS = 7000;

/** How long the button stays busy after the browser has posted the form, in milliseconds. */
const RESPONSE_TIMEOUT_MS: typeof TIMEOUT_MS = 20_000;

/**
 * Holds a submit that happens before the form is hydrated, marks the button as busy, hydrates the form and submits it
 * again. If the scripts fail or take too long, the browser posts the form without them.
 */
export function holdEarlySubmits(hydrate: (island: HTMLElement) => Promise<void>): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) {
    // The specification's messages replace the browser's own bubbles.
    form.noValidate = true;
  }
  document.addEventListener('submit', (event) => {
    const island = (event.target as Element).closest<HTMLElement>('[data-island]');
    // React prevents the default for a hydrated form. If an extension has made a copy of one, the browser posts it.
    if (!island || event.defaultPrevented || island.dataset.submit === 'released') return;
    event.preventDefault();
    if (island.dataset.submit !== 'held') void holdSubmit(island, hydrate);
  });
}

async function holdSubmit(island: HTMLElement, hydrate: (island: HTMLElement) => Promise<void>): Promise<void> {
  // An extension may replace the form and its button, and so may hydration.
  const findForm = () => document.querySelector<HTMLFormElement>(`#${island.id} form`)!;
  const findButton = () => findForm().querySelector('[type="submit"]')!;
  const label = findButton().textContent;
  const restoreButton = () => {
    findButton().removeAttribute('aria-busy');
    findButton().textContent = label;
  };
  island.dataset.submit = 'held';
  findButton().setAttribute('aria-busy', 'true');
  findButton().textContent = JOINING;
  // The visitor may close the tab before the scripts arrive.
  let isPosted = false;
  const postInBackground = () => {
    const form = findForm();
    const body = new URLSearchParams(new FormData(form) as never);
    isPosted = form.checkValidity() && navigator.sendBeacon(form.action, body);
  };
  addEventListener('pagehide', postInBackground);
  const timeout = new Promise((resolve) => setTimeout(resolve, SCRIPTS_TIMEOUT_MS, false));
  const isHydrated = await Promise.race([
    hydrate(island).then(
      () => true,
      () => false,
    ),
    timeout,
  ]);
  // In a new task: WebKit ignores a submit during another's event.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener('pagehide', postInBackground);
  if (isPosted) {
    delete island.dataset.submit;
    return restoreButton();
  }
  island.dataset.submit = 'released';
  if (!isHydrated) {
    // The page may return from the back/forward cache, or stay open because an extension blocks the post.
    addEventListener('pagehide', restoreButton, { once: true });
    setTimeout(restoreButton, RESPONSE_TIMEOUT_MS);
    return findForm().submit();
  }
  // React marks the button as busy again before the next frame.
  restoreButton();
  findForm().requestSubmit();
  delete island.dataset.submit;
}
