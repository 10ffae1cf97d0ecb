/**
 * Scripts that the loader fetches when a visitor first touches a part of the page, all in one file: tooltips, the first
 * answer of a form, and the way to React. The document holds its address, so that the loader needs none of Vite's own
 * loading.
 */
import { waitForRelease } from './wait-for-release.ts';

export { handleTooltipEvent } from '../ui/tooltips.ts';
export { answerKeptSubmit } from '../newsletter/answer-kept-submit.ts';

const hydrations = new Map<Element, Promise<void>>();

/**
 * Hydrates an island once. Where its scripts do not come, the next call fetches them again.
 * @param isPosted whether the island's form was posted without its scripts, which then must not send it as well
 * @throws {Error} where they do not come, come too late, or the island fails
 */
export async function hydrateOnce(island: HTMLElement, isPosted: (island: HTMLElement) => boolean): Promise<void> {
  const hydration = hydrations.get(island) ?? hydrateIsland(island, isPosted);
  hydrations.set(island, hydration);
  try {
    await hydration;
  } catch (error) {
    hydrations.delete(island);
    throw error;
  }
}

/** The newsletter's form is the only kind of island. */
async function hydrateIsland(island: HTMLElement, isPosted: (island: HTMLElement) => boolean): Promise<void> {
  const [{ hydrate }, { NewsletterForm }] = await Promise.all([
    import('./hydrate.tsx'),
    import('../newsletter/newsletter-form.tsx'),
  ]);
  // Hydration may replace a button of a changed form.
  await waitForRelease(island);
  if (isPosted(island)) throw new Error('The form was posted without its scripts');
  hydrate(island, NewsletterForm, JSON.parse(island.dataset.props!));
}

/** The script that loads and withdraws tags; a site without tags never asks for it. */
export const loadTags = () => import('../cookie-banner/tags/run-tags.ts');
