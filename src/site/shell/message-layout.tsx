import { pages } from 'virtual:content';
import type { ReactNode } from 'react';
import { ButtonLink } from '#site/ui/button-link.tsx';
import { DotField } from '#site/ui/dot-field.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './message-layout.module.css';

/** A page that says one thing, on the hero's green, and leads home. */
export function MessageLayout(page: { eyebrow: string; heading: string; art?: boolean; children: ReactNode }) {
  const { eyebrow, heading, art = false, children } = page;
  return (
    <>
      <SiteHeader />
      <main id="main" className={styles.main} tabIndex={-1}>
        <div className={styles.inner}>
          <div className={styles.words}>
            <p className={styles.eyebrow}>{eyebrow}</p>
            <h1>{heading}</h1>
            {children}
            <p>
              <ButtonLink variant="primary" href="/">
                {pages.backHome}
              </ButtonLink>
            </p>
          </div>
          {art && <DotField className={styles.art} />}
        </div>
      </main>
      <SiteFooter />
    </>
  );
}
