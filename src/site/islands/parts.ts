/**
 * Scripts that the loader fetches when a visitor first touches a part of the page, all in one file: tooltips, the first answer
 * of a form, and the way to React. The document holds its address, so that the loader needs none of Vite's own loading.
 */
import type { ComponentType } from 'react';
import type { IslandName } from './island.tsx';
import { waitForRelease } from './wait-for-release.ts';

export { handleTooltipEvent } from '../ui/tooltips.ts';
export { answerKeptSubmit } from '../newsletter/answer-kept-submit.ts';

const components: Record<IslandName, () => Promise<ComponentType<never>>> = {
  'newsletter-form': async () => (await import('../newsletter/newsletter-form.tsx')).NewsletterForm,
};

const hydrations = new Map<Element, Promise<void>>();

/**
 * Hydrates an island once. Where its scripts do not come, the next call fetches them again.
 * @param isPosted whether the island's form was posted without its scripts, which then must not send it as well
 * @throws {Error} where they do not come, come too late, or the island fails
 */
export function hydrateOnce(island: HTMLElement, isPosted: (island: HTMLElement) => boolean): Promise<void> {
  const known = hydrations.get(island);
  if (known) return known;
  const hydration = hydrateIsland(island, isPosted);
  hydrations.set(island, hydration);
  return hydration;
}

async function hydrateIsland(island: HTMLElement, isPosted: (island: HTMLElement) => boolean): Promise<void> {
  const { hydrate, component } = await loadScripts(island, isPosted).catch((error: unknown) => {
    hydrations.delete(island);
    throw error;
  });
  hydrate(island, component, JSON.parse(island.dataset.props ?? '{}') as never);
}

async function loadScripts(island: HTMLElement, isPosted: (island: HTMLElement) => boolean) {
  const load = components[island.dataset.island as IslandName];
  const [{ hydrate }, component] = await Promise.all([import('./hydrate.tsx'), load()]);
  // Hydration may replace a button of a changed form.
  await waitForRelease(island);
  if (isPosted(island)) throw new Error('The form was posted without its scripts');
  return { hydrate, component };
}

/** The script that loads and withdraws tags; a site without tags never asks for it. */
export const loadTags = () => import('../cookie-banner/tags/run-tags.ts');
