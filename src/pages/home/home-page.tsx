import type { ComponentPage } from '#layout/page.ts';
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
  facts: ({ agency, home }) => ({
    title: home.title,
    description: home.description,
    share: { eyebrow: agency.tagline.join(' · '), headline: home.hero.headline },
  }),
  graph: (origin, { faq }) => [questions(origin, faq)],
  component: HomePage,
};

function HomePage() {
  return (
    <PageLayout overHero>
      <Hero />
      <Intro />
      <Focus />
      <Process />
      <Founder />
      <NewsletterSection form="Founder" look="card" />
      <Faq />
      <Contact />
      <NewsletterSection form="Footer" look="fullWidth" />
    </PageLayout>
  );
}
