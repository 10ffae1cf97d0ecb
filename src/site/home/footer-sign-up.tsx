import { home } from 'virtual:content';
import { NewsletterSection } from './newsletter-section.tsx';

export function FooterSignUp({ endpoint }: { endpoint: string }) {
  return <NewsletterSection form="Footer" look="fullWidth" copy={home.footerSignUp} endpoint={endpoint} />;
}
