/**
 * The only script that every page loads: it hydrates the parts that a visitor operates, each when it is touched, and
 * asks for consent. Until then, and if a script never arrives, the page works as the HTML that it is.
 */
import type { ComponentType } from 'react';
import { startBanner } from '../consent/banner.ts';
import type { IslandName } from './island.tsx';

const components: Record<IslandName, () => Promise<ComponentType<never>>> = {
  'newsletter-form': async () => (await import('../newsletter/newsletter-form.tsx')).NewsletterForm,
};

startBanner();

// The messages of the specification take the place of the browser's own bubbles.
for (const form of document.querySelectorAll<HTMLFormElement>('[data-island] form')) form.noValidate = true;

for (const event of ['pointerover', 'pointerdown', 'focusin']) document.addEventListener(event, attend);

const year = document.querySelector('[data-year]');
const thisYear = String(new Date().getFullYear());
// A text set anew is laid out anew, even where it stays the same.
if (year && year.textContent !== thisYear) year.textContent = thisYear;

// A submit that comes before its form is hydrated is kept: the button shows so at once, and the message comes first.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  const island = form.closest<HTMLElement>('[data-island]');
  if (island === null || island.hasAttribute('data-hydrated')) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.hasAttribute('aria-busy')) return;
  button?.setAttribute('aria-busy', 'true');
  const hydrating = hydrateOnce(island);
  import('../newsletter/kept-submit.ts')
    .then(({ answerKeptSubmit }) => answerKeptSubmit(form, hydrating))
    // Without its scripts the form posts as any form does.
    .catch(() => form.submit())
    .finally(() => button?.removeAttribute('aria-busy'));
});

/** What is touched gets its script. One that does not come is asked for again at the next touch. */
function attend(event: Event): void {
  const target = event.target as Element;
  const island = target.closest<HTMLElement>('[data-island]');
  if (island) hydrateOnce(island).catch(() => undefined);
  if (target.closest('[data-tooltip]')) {
    import('../ui/tooltips.ts').then(({ attendTooltip }) => attendTooltip(event)).catch(() => undefined);
  }
}

const hydrated = new Map<Element, Promise<void>>();

function hydrateOnce(island: HTMLElement): Promise<void> {
  let hydrating = hydrated.get(island);
  if (hydrating === undefined) {
    hydrating = hydrateIsland(island);
    hydrated.set(island, hydrating);
    hydrating.catch(() => hydrated.delete(island));
  }
  return hydrating;
}

async function hydrateIsland(island: HTMLElement): Promise<void> {
  const load = components[island.dataset.island as IslandName];
  const [{ hydrate }, component] = await Promise.all([import('./mount.tsx'), load()]);
  await hydrate(island, component, JSON.parse(island.dataset.props ?? '{}') as never);
  island.dataset.hydrated = '';
}
