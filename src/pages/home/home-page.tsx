import { agency, faq, home } from '#content/site-content.ts';
import type { ComponentPage, PageProps } from '#layout/page.ts';
import { PageLayout } from '#layout/page-layout.tsx';
import { questions } from '#layout/structured-data.ts';
import { Contact } from './contact.tsx';
import { Faq } from './faq.tsx';
import { Focus } from './focus.tsx';
import { Founder } from './founder.tsx';
import { Hero } from './hero.tsx';
import { Intro } from './intro.tsx';
import { NewsletterSection } from './newsletter-section.tsx';
import { Process } from './process.tsx';

export const homePage: ComponentPage = {
  path: '/',
  title: () => home.title,
  description: () => home.description,
  share: () => ({ eyebrow: agency.tagline.join(' · '), headline: home.hero.headline }),
  graph: (origin) => [questions(origin, faq)],
  component: HomePage,
};

function HomePage({ site }: PageProps) {
  const { newsletterEndpoint } = site.settings;
  return (
    <PageLayout overHero>
      <Hero />
      <Intro />
      <Focus />
      <Process />
      <Founder />
      <NewsletterSection form="Founder" look="card" endpoint={newsletterEndpoint} />
      <Faq />
      <Contact />
      <NewsletterSection form="Footer" look="fullWidth" endpoint={newsletterEndpoint} />
    </PageLayout>
  );
}
