import { home } from 'virtual:content';
import { NewsletterSection } from './newsletter-section.tsx';

export function EarlySignUp({ endpoint }: { endpoint: string }) {
  return <NewsletterSection form="Founder" look="card" copy={home.earlySignUp} endpoint={endpoint} />;
}
