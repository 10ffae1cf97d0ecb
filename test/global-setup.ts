/** Playwright and Vitest call this before tests that need a built site. */
export { buildSites as default } from './built-sites.ts';
