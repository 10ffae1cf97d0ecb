import { home } from 'virtual:content';
import { NewsletterSection } from '#site/newsletter/newsletter-section.tsx';

export function FooterSignUp({ endpoint }: { endpoint: string }) {
  return <NewsletterSection form="Footer" look="band" copy={home.footerSignUp} endpoint={endpoint} />;
}
