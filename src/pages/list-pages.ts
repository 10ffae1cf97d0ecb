import type { PageFacts } from '#layout/page.ts';
import type { Content } from '#shared/content-schema.ts';

/** Every page that is the same for all who ask, in the order in which they are listed to search engines. */
export function listPages(content: Pick<Content, 'agency' | 'home' | 'privacyPolicy' | 'markdownPages'>): PageFacts[] {
  const { agency, home, privacyPolicy, markdownPages } = content;
  return [
    {
      path: '/',
      title: home.title,
      description: home.description,
      share: { eyebrow: agency.tagline.join(' · '), headline: home.hero.headline },
    },
    ...[privacyPolicy, ...markdownPages].map(({ path, title, description, heading }) => ({
      path,
      title,
      description,
      share: { eyebrow: agency.legalName, headline: heading },
    })),
  ];
}
