import { agency, faq, home, markdownPages, privacyPolicy } from '#content/site-content.ts';
import { breadcrumb, questions } from '#layout/structured-data.ts';
import { HomePage } from './home/home-page.tsx';
import { listPages } from './list-pages.ts';
import { MarkdownPage } from './markdown/markdown-page.tsx';
import type { SitePage } from '#layout/page.ts';

/** Every page of list-pages.ts with its component. */
export function listSitePages(): SitePage[] {
  const inMarkdown = new Map([privacyPolicy, ...markdownPages].map((content) => [content.path, content]));
  return listPages({ agency, home, privacyPolicy, markdownPages }).map((facts) => {
    const content = inMarkdown.get(facts.path);
    if (content !== undefined) {
      return {
        ...facts,
        graph: (origin) => [breadcrumb(origin, content)],
        body: () => <MarkdownPage content={content} />,
      };
    }
    return {
      ...facts,
      graph: (origin) => [questions(origin, faq)],
      body: (site) => <HomePage newsletterEndpoint={site.settings.newsletterEndpoint} />,
    };
  });
}
