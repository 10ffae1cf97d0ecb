import { buildAgencies } from './agencies/agencies.ts';
import { buildSites } from './built-sites.ts';

/** Playwright and Vitest call this before the tests that need a built site. */
export default async function setup(): Promise<void> {
  await buildSites();
  await buildAgencies();
}
