import { PageLayout } from '#layout/page-layout.tsx';
import { Contact } from './contact.tsx';
import { Faq } from './faq.tsx';
import { Focus } from './focus.tsx';
import { Founder } from './founder.tsx';
import { Hero } from './hero.tsx';
import { Intro } from './intro.tsx';
import { NewsletterSection } from './newsletter-section.tsx';
import { Process } from './process.tsx';

export function HomePage({ newsletterEndpoint }: { newsletterEndpoint: string }) {
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
