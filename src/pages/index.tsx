import type { SiteContent } from '#content/site-content.ts';
import type { ComponentPage, FooterLink, SitePage } from '#layout/page.ts';
import { homePage } from './home/home-page.tsx';
import { toSitePage } from './markdown/markdown-page.tsx';

/** Every page made of components, in the order in which the sitemap lists them. */
const COMPONENT_PAGES: ComponentPage[] = [homePage];

/** Every page that search engines may find. */
export function listSitePages(content: SiteContent): SitePage[] {
  return [
    ...COMPONENT_PAGES.map(({ path, facts, graph, component: Component }) => ({
      path,
      ...facts(content),
      graph: (origin: string) => graph?.(origin, content) ?? [],
      body: <Component />,
    })),
    ...[content.privacyPolicy, ...content.markdownPages].map((page) => toSitePage(page, content)),
  ];
}

export function listFooterLinks(content: SiteContent): FooterLink[] {
  return listSitePages(content).flatMap(({ path, footer }) => (footer === undefined ? [] : [{ path, label: footer }]));
}
