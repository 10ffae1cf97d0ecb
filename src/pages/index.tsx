import { markdownPages, privacyPolicy } from '#content/site-content.ts';
import type { ComponentPage, FooterLink, Site, SitePage } from '#layout/page.ts';
import { homePage } from './home/home-page.tsx';
import { toSitePage } from './markdown/markdown-page.tsx';

/** Every page made of components, in the order in which the sitemap lists them. */
const COMPONENT_PAGES: ComponentPage[] = [homePage];

/** Every page that search engines may find. */
export function listSitePages(): SitePage[] {
  return [
    ...COMPONENT_PAGES.map(({ title, description, share, footer, component: Component, ...page }) => ({
      ...page,
      title: title(),
      description: description(),
      share: share(),
      footer: footer?.(),
      body: (site: Site) => <Component site={site} />,
    })),
    ...[privacyPolicy, ...markdownPages].map(toSitePage),
  ];
}

export function listFooterLinks(): FooterLink[] {
  return listSitePages().flatMap(({ path, footer }) => (footer === undefined ? [] : [{ path, label: footer }]));
}
