import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import styles from './plain-layout.module.css';

/** A short page with one thing to read or do. */
export function PlainLayout({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main" className={styles.main} tabIndex={-1}>
        <h1 className={styles.heading}>{heading}</h1>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
