/** Files that browsers read beside the pages: the web manifest and the rules for fetching pages early. */
import { agency, brand, home } from '#content/site-content.ts';
import type { SitePage } from './page.ts';

/** Source: www.w3.org/TR/appmanifest. */
export function webManifest(): object {
  return {
    name: agency.name,
    description: home.description,
    lang: 'en-GB',
    start_url: '/',
    display: 'browser',
    theme_color: brand.light.deep,
    background_color: brand.light.deep,
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}

/**
 * A page is fetched when a visitor points at its link. It is not prerendered: a tag that counts visits
 * would count one that never happened.
 */
export function speculationRules(pages: SitePage[]): object {
  return { prefetch: [{ where: { href_matches: pages.map(({ path }) => path) }, eagerness: 'moderate' }] };
}
