/**
 * What the loader fetches when a visitor first touches a part of the page, all in one file: tooltips, the first answer
 * of a form, and the way to React. The document tells its address, so that the loader needs none of Vite's own loading.
 */
import type { ComponentType } from 'react';
import type { IslandName } from './island.tsx';

export { attendTooltip } from '../ui/tooltips.ts';
export { answerKeptSubmit } from '../newsletter/kept-submit.ts';

const components: Record<IslandName, () => Promise<ComponentType<never>>> = {
  'newsletter-form': async () => (await import('../newsletter/newsletter-form.tsx')).NewsletterForm,
};

const hydrated = new Map<Element, Promise<void>>();

/** Hydrates an island once. What fails to come is asked for anew by the next call. */
export function hydrateOnce(island: HTMLElement): Promise<void> {
  const known = hydrated.get(island);
  if (known) return known;
  const hydrating = hydrateIsland(island);
  hydrated.set(island, hydrating);
  hydrating.catch(() => hydrated.delete(island));
  return hydrating;
}

async function hydrateIsland(island: HTMLElement): Promise<void> {
  const load = components[island.dataset.island as IslandName];
  const [{ hydrate }, component] = await Promise.all([import('./mount.tsx'), load()]);
  await hydrate(island, component, JSON.parse(island.dataset.props ?? '{}') as never);
  island.dataset.hydrated = '';
}

/** What loads and withdraws tags; a site without tags never asks for it. */
export const loadTags = () => import('../cookie-banner/tags/run-tags.ts');
