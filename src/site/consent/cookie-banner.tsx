import { words } from 'virtual:consent-words';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#site/ui/button.tsx';
import { choose, currentConsent } from './consent.ts';
import { type Choice, filledIn, openingOf } from './consent-rules.ts';
import { CookieDetails } from './cookie-details.tsx';
import styles from './cookie-banner.module.css';

/**
 * The banner: a labelled region, not a modal. It stays until a choice is made here or in another tab.
 * @param opener the link that opened it, which gets the focus back; without one nothing takes the visitor's focus
 */
export function CookieBanner({ opener }: { opener?: HTMLElement | undefined }) {
  const [open, setOpen] = useState(true);
  const [announcement, setAnnouncement] = useState('');

  useEffect(() => {
    const follow = () => setOpen(currentConsent().status !== 'given');
    document.addEventListener('consentchange', follow);
    return () => document.removeEventListener('consentchange', follow);
  }, []);

  const onChosen = (choice: Choice) => {
    setAnnouncement(words.chosen[choice]);
    opener?.focus();
  };

  return (
    <>
      {open && <BannerCard focused={opener !== undefined} onChosen={onChosen} />}
      <output className={styles.announcement}>{announcement}</output>
    </>
  );
}

function BannerCard({ focused, onChosen }: { focused: boolean; onChosen: (choice: Choice) => void }) {
  const [consent] = useState(currentConsent);
  const [selected, setSelected] = useState(() => filledIn(consent));
  const [detailed, setDetailed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);

  const decide = (choice: Choice) => {
    choose(choice, selected);
    onChosen(choice);
  };

  return (
    <section className={styles.banner} aria-labelledby="cookie-banner-heading">
      <div className={`${styles.card} ${detailed ? styles.detailed : ''}`}>
        <h2 ref={heading} id="cookie-banner-heading" className={styles.heading} tabIndex={-1}>
          {words.title}
        </h2>
        <button type="button" className={styles.close} aria-label={words.close} onClick={() => decide('essential')}>
          <svg viewBox="0 0 12 12" width="12" height="12" stroke="currentColor" strokeWidth="2" aria-hidden="true">
            <path d="M1 1l10 10M11 1L1 11" />
          </svg>
        </button>
        <p className={styles.text}>
          {words[openingOf(consent, hasPrivacySignal())]}{' '}
          <a className={styles.policy} href="/privacy-policy">
            {words.policy}
          </a>
        </p>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={detailed}
          aria-controls="cookie-details"
          onClick={() => setDetailed(!detailed)}
        >
          {detailed ? words.hideDetails : words.showDetails}
        </button>
        <div id="cookie-details" className={styles.details} hidden={!detailed}>
          <CookieDetails selected={selected} onSelect={setSelected} />
        </div>
        <div className={styles.actions}>
          {detailed && (
            <Button variant="secondary" compact onClick={() => decide('custom')}>
              {words.allowSelection}
            </Button>
          )}
          <Button variant="secondary" compact onClick={() => decide('all')}>
            {words.allowAll}
          </Button>
          <Button variant="secondary" compact onClick={() => decide('essential')}>
            {words.denyNonEssential}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Source: https://w3c.github.io/gpc/#javascript-property-to-detect-preference */
function hasPrivacySignal(): boolean {
  return 'globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true;
}
