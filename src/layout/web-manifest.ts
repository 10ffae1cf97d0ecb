import type { SiteContent } from '#content/site-content.ts';

/** Source: www.w3.org/TR/appmanifest. */
export function webManifest({ agency, brand, home }: SiteContent): object {
  return {
    name: agency.name,
    description: home.description,
    lang: agency.language,
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
