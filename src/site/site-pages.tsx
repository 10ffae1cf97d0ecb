import { agency, faq, home, privacyPolicy } from 'virtual:content';
import type { Page, Site } from './document.tsx';
import { breadcrumb, questions } from './discovery/structured-data.ts';
import { HomePage } from './home/home-page.tsx';
import { PrivacyPolicyPage } from './privacy-policy/privacy-policy-page.tsx';

/** A page that search engines may find and people may share. */
export type SitePage = Omit<Page, 'body'> &
  Required<Pick<Page, 'path' | 'share' | 'graph'>> & {
    /** Files of content/ that it is made of, for the date of its last change. */
    sources: string[];
    body: (site: Site) => Page['body'];
  };

/** Every page that is the same for all who ask, in the order in which they are listed to search engines. */
export const SITE_PAGES: SitePage[] = [
  {
    name: 'home',
    path: '/',
    title: home.title,
    description: home.description,
    share: { eyebrow: agency.tagline.join(' · '), headline: home.hero.headline },
    sources: ['agency.yaml', 'home.yaml', 'faq.yaml', 'portrait.jpg', 'portrait.jpeg', 'portrait.png', 'portrait.webp'],
    graph: (origin) => [questions(origin, faq)],
    body: (site) => <HomePage newsletterEndpoint={site.settings.newsletterEndpoint} />,
  },
  {
    name: 'privacy-policy',
    path: '/privacy-policy',
    title: privacyPolicy.title,
    description: privacyPolicy.description,
    share: { eyebrow: agency.legalName, headline: privacyPolicy.heading },
    sources: ['agency.yaml', 'privacy-policy.md', 'consent.yaml'],
    graph: (origin) => [
      breadcrumb(origin, [
        ['Home', '/'],
        [privacyPolicy.heading, '/privacy-policy'],
      ]),
    ],
    body: () => <PrivacyPolicyPage />,
  },
];
