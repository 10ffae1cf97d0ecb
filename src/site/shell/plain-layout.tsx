import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './plain-layout.module.css';

/** A short page with one thing to read or do; `heading` is left out where what it holds brings the first heading. */
export function PlainLayout({
  heading,
  headingId,
  children,
}: {
  heading?: string;
  headingId?: string;
  children: ReactNode;
}) {
  return (
    <>
      <SiteHeader />
      <main id="main" className={styles.main} tabIndex={-1}>
        {heading && (
          <h1 id={headingId} className={styles.heading}>
            {heading}
          </h1>
        )}
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
