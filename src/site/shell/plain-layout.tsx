import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './plain-layout.module.css';

/** A short page on paper, with one thing to fill in. */
export function PlainLayout(page: { heading: string; headingId: string; children: ReactNode }) {
  const { heading, headingId, children } = page;
  return (
    <>
      <SiteHeader />
      <main id="main" className={styles.main} tabIndex={-1}>
        <h1 id={headingId} className={styles.heading}>
          {heading}
        </h1>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
