/**
 * The only script that every page loads: it wakes the parts that a visitor operates, each when it is near the screen
 * or touched. Until then, and if a script never arrives, the page works as the HTML that it is.
 */
import type { ComponentType } from 'react';
import { loadConsent } from '../consent/consent-loader.ts';
import type { IslandName } from './island.tsx';

const components: Record<IslandName, { load: () => Promise<ComponentType<never>>; when: 'near' | 'touched' }> = {
  'newsletter-form': {
    load: async () => (await import('../newsletter/newsletter-form.tsx')).NewsletterForm,
    when: 'near',
  },
  // A tooltip opens only after 700 ms under a pointer, so its script may wait for the pointer.
  'icon-links': {
    load: async () => (await import('../ui/icon-links.tsx')).IconLinks,
    when: 'touched',
  },
};

/** How far below the screen an island begins to load: about a second of brisk scrolling. */
const NEAR = '1200px';

const hydrated = new Map<Element, Promise<void>>();

const nearby = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      nearby.unobserve(target);
      hydrateOnce(target);
    }
  },
  { rootMargin: NEAR },
);

for (const island of document.querySelectorAll<HTMLElement>('[data-island]')) {
  // The messages of the specification take the place of the browser's own bubbles.
  for (const form of island.querySelectorAll('form')) form.noValidate = true;
  if (components[nameOf(island)].when === 'near') nearby.observe(island);
  for (const event of ['pointerover', 'pointerdown', 'focusin']) {
    island.addEventListener(event, () => hydrateOnce(island).then(() => repeatAttention(island)), {
      once: true,
      passive: true,
    });
  }
}

loadConsent();

const year = document.querySelector('[data-year]');
const thisYear = String(new Date().getFullYear());
// A text set anew is laid out anew, even where it stays the same.
if (year && year.textContent !== thisYear) year.textContent = thisYear;

// A submit that comes before its form is hydrated is kept: the button shows so at once, and the form sends it by itself.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  const island = form.closest('[data-island]');
  if (island === null || island.hasAttribute('data-hydrated')) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.hasAttribute('aria-busy')) return;
  button?.setAttribute('aria-busy', 'true');
  hydrateOnce(island)
    .finally(() => button?.removeAttribute('aria-busy'))
    .then(
      () => form.requestSubmit(),
      // Without its script the form posts as any form does.
      () => form.submit(),
    );
});

/** An island that was asleep did not see what woke it: where the pointer rests and the focus stands is said again. */
function repeatAttention(island: HTMLElement): void {
  const init = { bubbles: true, pointerType: 'mouse' };
  const hovered = [...island.querySelectorAll(':hover')].at(-1);
  hovered?.dispatchEvent(new PointerEvent('pointermove', init));
  island.querySelector(':focus')?.dispatchEvent(new FocusEvent('focusin', init));
}

function hydrateOnce(island: Element): Promise<void> {
  let hydrating = hydrated.get(island);
  if (hydrating === undefined) {
    hydrating = hydrateIsland(island as HTMLElement);
    hydrated.set(island, hydrating);
    hydrating.catch(() => hydrated.delete(island));
  }
  return hydrating;
}

async function hydrateIsland(island: HTMLElement): Promise<void> {
  const [{ hydrate }, component] = await Promise.all([import('./mount.tsx'), components[nameOf(island)].load()]);
  await hydrate(island, component, JSON.parse(island.dataset.props ?? '{}') as never);
  island.dataset.hydrated = '';
}

function nameOf(island: HTMLElement): IslandName {
  return island.dataset.island as IslandName;
}
