import { SiteFooter } from '#site/shell/site-footer.tsx';
import { SiteHeader } from '#site/shell/site-header.tsx';
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
    <>
      <SiteHeader overHero />
      <main id="main" tabIndex={-1}>
        <Hero />
        <Intro />
        <Focus />
        <Process />
        <Founder />
        <NewsletterSection form="Founder" look="card" endpoint={newsletterEndpoint} />
        <Faq />
        <Contact />
        <NewsletterSection form="Footer" look="fullWidth" endpoint={newsletterEndpoint} />
      </main>
      <SiteFooter />
    </>
  );
}
