import { agency, consent } from 'virtual:content';
import type { ReactNode } from 'react';
import { type Choice, OPENINGS } from '#site/cookie-banner/consent-rules.ts';
import { Button } from '#site/ui/button.tsx';
import { CookieDetails } from './cookie-details.tsx';
import styles from './cookie-banner.module.css';

const words = consent.banner;

/** What is said while there is something optional, or while there is not. */
const said = agency.tags.length > 0 ? words : words.withoutTags;

/**
 * The banner: a labelled region, not a modal, and what is said once it has closed. Rendered ahead of time and never
 * hydrated: banner.ts operates it by its `data-` attributes and `aria-controls`.
 */
export function CookieBanner() {
  const { all, essential, custom } = said.chosen;
  return (
    <>
      <section className={styles.banner} aria-labelledby="cookie-banner-heading" hidden>
        <div className={styles.card}>
          <h2 id="cookie-banner-heading" className={styles.heading} tabIndex={-1}>
            {words.title}
          </h2>
          <button type="button" className={styles.close} aria-label={words.close} data-choice="essential">
            <svg viewBox="0 0 12 12" width="12" height="12" stroke="currentColor" strokeWidth="2" aria-hidden="true">
              <path d="M1 1l10 10M11 1L1 11" />
            </svg>
          </button>
          <p className={styles.text}>
            {OPENINGS.map((opening) => (
              <span key={opening} data-opening={opening} hidden>
                {said[opening]}{' '}
              </span>
            ))}
            <a className={styles.policy} href="/privacy-policy">
              {words.policy}
            </a>
          </p>
          <button type="button" className={styles.toggle} aria-expanded="false" aria-controls="cookie-details">
            <span className={styles.show}>{words.showDetails}</span>
            <span className={styles.hide}>{words.hideDetails}</span>
          </button>
          <div id="cookie-details" className={styles.details} hidden>
            <CookieDetails />
          </div>
          <div className={styles.actions}>
            <ChoiceButton choice="custom">{words.allowSelection}</ChoiceButton>
            <ChoiceButton choice="all">{words.allowAll}</ChoiceButton>
            <ChoiceButton choice="essential">{words.denyNonEssential}</ChoiceButton>
          </div>
        </div>
      </section>
      <output className={styles.confirmation} data-all={all} data-essential={essential} data-custom={custom} />
    </>
  );
}

function ChoiceButton({ choice, children }: { choice: Choice; children: ReactNode }) {
  return (
    <Button variant="secondary" compact data-choice={choice}>
      {children}
    </Button>
  );
}
