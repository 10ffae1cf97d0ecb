import { listPages, TEST_SITE } from '../built-sites.ts';

/**
 * The address of every page that a visitor can meet: each of the build, one that is not there, one of a mail's links.
 */
export const PAGES = [
  ...listPages(TEST_SITE).map(({ path }) => (path === '/404' ? '/nowhere' : path)),
  '/newsletter/unsubscribe/not-a-token',
];
