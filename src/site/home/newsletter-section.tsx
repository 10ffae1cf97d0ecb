import { home, pages } from 'virtual:content';
import { consentWordings } from '#list/consent-wording.ts';
import type { SignUpCopy } from '#shared/content-schema.ts';
import type { SignUpForm } from '#shared/newsletter.ts';
import { Island } from '#site/islands/island.tsx';
import { NewsletterForm } from '#site/newsletter/newsletter-form.tsx';
import { Section } from '#site/ui/section.tsx';
import styles from './newsletter-section.module.css';

/** A sign-up with its words beside it: a tinted card between sections, or the full width of the page. */
export function NewsletterSection(section: {
  form: SignUpForm;
  look: 'card' | 'fullWidth';
  copy: SignUpCopy;
  endpoint: string;
}) {
  const { form, look, copy, endpoint } = section;
  const heading = `${form.toLowerCase()}-sign-up-heading`;
  return (
    <section>
      <Section as="div" className={`${styles.inner} ${look === 'card' ? styles.card : ''}`}>
        <div>
          <h2 id={heading} className={styles.heading}>
            {copy.heading}
          </h2>
          <p className={styles.text}>{copy.text}</p>
        </div>
        <Island
          id={`${form.toLowerCase()}-sign-up`}
          name="newsletter-form"
          component={NewsletterForm}
          props={{
            form,
            endpoint,
            consent: consentWordings(home)[form],
            join: pages.labels.join,
            done: { heading: copy.doneHeading, text: copy.doneText },
          }}
        />
      </Section>
    </section>
  );
}
