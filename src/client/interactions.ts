/**
 * Tooltips and hydration, in one file that the loader fetches on the visitor's first interaction.
 * Its URL is in the document, so that the loader doesn't need Vite's loading code.
 */
import type { ComponentType } from 'react';
import { type IslandName, ISLANDS } from './islands.ts';

export { handleTooltipEvent } from './tooltips.ts';

const hydrations = new Map<Element, Promise<void>>();

/**
 * Hydrates an island once. If its scripts fail to load, the next call retries.
 * @throws {Error} if they fail to load, or if the island itself fails
 */
export async function hydrateOnce(island: HTMLElement): Promise<void> {
  const hydration = hydrations.get(island) ?? hydrateIsland(island);
  hydrations.set(island, hydration);
  try {
    await hydration;
  } catch (error) {
    hydrations.delete(island);
    throw error;
  }
}

async function hydrateIsland(island: HTMLElement): Promise<void> {
  const [{ hydrate }, Component] = await Promise.all([
    import('./hydrate.tsx'),
    ISLANDS[island.dataset.island as IslandName](),
  ]);
  // Hydration may replace controls in a form that was changed, and a control replaced during a press receives no click.
  while (island.matches(':active') && !document.hidden) await new Promise((resolve) => setTimeout(resolve, 16));
  hydrate(island, Component as ComponentType<object>, JSON.parse(island.dataset.props!) as object);
}

/** The script that loads and removes tags; a site without tags never requests it. */
export const loadTags = () => import('./tags/run-tags.ts');
