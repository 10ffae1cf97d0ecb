import { useContent } from '#layout/site-context.ts';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { toTelephoneUrl, formatTelephone } from '#content/company-details.ts';
import { ButtonLink } from '#components/button.tsx';
import { Divider } from '#components/divider.tsx';
import { NewTabNote } from '#components/new-tab-note.tsx';
import { HighlightedDot } from '#components/highlighted-dot.tsx';
import { Container } from '#components/container.tsx';
import styles from './contact.module.css';

export function Contact() {
  const { agency, home } = useContent();
  const { heading, text, book, message, candidates } = home.contact;
  return (
    <section id="contact" className={styles.contact}>
      <Divider shape="geometric" />
      <Container className={styles.inner}>
        <div className={styles.three} aria-hidden="true">
          <HighlightedDot className={styles.finalist} />
          <HighlightedDot className={styles.finalist} />
          <HighlightedDot className={styles.finalist} />
        </div>
        <div>
          <h2 className={styles.heading}>{heading}</h2>
          <p className={styles.text}>{text}</p>
          <p className={styles.actions}>
            <ButtonLink variant="primary" href={agency.calendar} newTab>
              {book}
            </ButtonLink>
            <ButtonLink variant="outline" href={`mailto:${agency.email}`}>
              {message}
            </ButtonLink>
          </p>
          {candidates && (
            <p className={styles.candidates}>
              <a href={`mailto:${agency.email}?subject=${encodeURIComponent(candidates.subject)}`}>{candidates.text}</a>
            </p>
          )}
          <ul role="list" className={styles.places}>
            <li>
              <a className={styles.place} href={`mailto:${agency.email}`}>
                {toReadableEmail(agency.email)}
              </a>
            </li>
            {agency.telephone !== undefined && (
              <li>
                <a className={styles.place} href={toTelephoneUrl(agency.telephone)}>
                  {formatTelephone(agency.telephone)}
                </a>
              </li>
            )}
            {[agency.location, ...agency.otherOffices].map(({ label, map }) => (
              <li key={label}>
                <a className={styles.place} href={map} target="_blank" rel="noopener">
                  {label}
                  <NewTabNote />
                </a>
              </li>
            ))}
          </ul>
        </div>
      </Container>
    </section>
  );
}
