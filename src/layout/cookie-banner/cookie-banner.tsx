import type { SiteContent } from '#content/site-content.ts';
import { useContent } from '../site-context.ts';
import type { ReactNode } from 'react';
import { hashQuestion } from '#content/consent/question-version.ts';
import { BANNER_PARTS, CHOICE, CONFIRMATION, OPENING, type SiteTags } from '#client/cookie-banner/banner-parts.ts';
import { type Choice, OPENINGS } from '#client/cookie-banner/consent-rules.ts';
import { Button } from '#components/button.tsx';
import roundButton from '../../components/round-button.module.css';
import { CookieDetails } from './cookie-details.tsx';
import styles from './cookie-banner.module.css';

type CookieBannerProps = { isSecret?: boolean | undefined };

/**
 * The banner: a labelled region, not a modal. It is prerendered and never hydrated: banner.ts controls it. The
 * element around it is hidden until its styles have loaded, which the document links at its end.
 * @param isSecret whether the page's URL is secret: then no tag runs here, whatever was chosen
 */
export function CookieBanner({ isSecret = false }: CookieBannerProps) {
  const { agency, consent } = useContent();
  const copy = consent.banner;
  const { tags, calendar } = agency;
  const hasTags = tags.length > 0;
  return (
    <div
      id={BANNER_PARTS.root}
      hidden
      data-nosnippet
      data-version={hashQuestion({ agency, consent })}
      data-tags={hasTags && !isSecret ? JSON.stringify({ tags, calendar } satisfies SiteTags) : undefined}
    >
      <section className={styles.banner} aria-labelledby={BANNER_PARTS.heading} hidden>
        <div className={styles.card}>
          <h2 id={BANNER_PARTS.heading} className={styles.heading} tabIndex={-1}>
            {copy.title}
          </h2>
          <button
            type="button"
            className={`${roundButton.button} ${styles.close}`}
            aria-label={copy.close}
            {...choiceAttributes('essential', { agency, consent })}
          >
            <svg viewBox="0 0 12 12" width="12" height="12" stroke="currentColor" strokeWidth="2" aria-hidden="true">
              <path d="M1 1l10 10M11 1L1 11" />
            </svg>
          </button>
          <p className={styles.text}>
            {OPENINGS.map((opening) => (
              <span key={opening} {...{ [OPENING]: opening }} hidden>
                {`${(hasTags ? copy : copy.withoutTags)[opening]} `}
              </span>
            ))}
            <a className={styles.policy} href="/privacy-policy">
              {copy.policy}
            </a>
          </p>
          <DetailsToggle show={copy.showDetails} hide={copy.hideDetails} />
          <div id={BANNER_PARTS.details} className={styles.details} hidden>
            <CookieDetails />
            <ChoiceButton choice="custom">{copy.allowSelection}</ChoiceButton>
          </div>
          <div className={styles.actions}>
            <ChoiceButton choice="all">{copy.allowAll}</ChoiceButton>
            <ChoiceButton choice="essential">{copy.denyNonEssential}</ChoiceButton>
          </div>
        </div>
      </section>
    </div>
  );
}

type DetailsToggleProps = { show: string; hide: string };

function DetailsToggle({ show, hide }: DetailsToggleProps) {
  return (
    <button
      type="button"
      id={BANNER_PARTS.toggle}
      className={styles.toggle}
      aria-expanded="false"
      aria-controls={BANNER_PARTS.details}
    >
      <span className={styles.show}>{show}</span>
      <span className={styles.hide}>{hide}</span>
    </button>
  );
}

type ChoiceButtonProps = { choice: Choice; children: ReactNode };

function ChoiceButton({ choice, children }: ChoiceButtonProps) {
  const content = useContent();
  return (
    <Button variant="secondary" compact {...choiceAttributes(choice, content)}>
      {children}
    </Button>
  );
}

/** A button's choice, and the confirmation of it. */
function choiceAttributes(choice: Choice, { agency, consent }: Pick<SiteContent, 'agency' | 'consent'>) {
  const copy = consent.banner;
  return { [CHOICE]: choice, [CONFIRMATION]: agency.tags.length > 0 ? copy.chosen[choice] : copy.withoutTags.chosen };
}
