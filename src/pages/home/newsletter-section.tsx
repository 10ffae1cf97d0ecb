import { nameForm, type SignUpForm } from '#shared/sign-up-rules.ts';
import { useSite } from '#layout/site-context.ts';
import { Island } from '#layout/island.tsx';
import { Container } from '#components/container.tsx';
import { getFormCopy, getSignUpCopy } from './form-copy.ts';
import styles from './newsletter-section.module.css';

type NewsletterSectionProps = { form: SignUpForm; look: 'card' | 'fullWidth' };

/** A sign-up form next to its text: a tinted card between sections, or the full width of the page. */
export function NewsletterSection({ form, look }: NewsletterSectionProps) {
  const { content, settings } = useSite();
  const copy = getSignUpCopy(form, content);
  const heading = `${nameForm(form)}-heading`;
  return (
    <section>
      <Container className={`${styles.inner} ${look === 'card' ? styles.card : ''}`}>
        <div>
          <h2 id={heading} className={styles.heading}>
            {copy.heading}
          </h2>
          <p className={styles.text}>{copy.text}</p>
        </div>
        <Island
          id={nameForm(form)}
          name="newsletter-form"
          props={{ form, endpoint: settings.newsletterEndpoint, ...getFormCopy(form, content) }}
        />
      </Container>
    </section>
  );
}
