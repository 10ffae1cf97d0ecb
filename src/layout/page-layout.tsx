import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

/** A page between the bar and the footer. */
export function PageLayout(page: { overHero?: boolean; className?: string; children: ReactNode }) {
  const { overHero = false, className, children } = page;
  return (
    <>
      <SiteHeader overHero={overHero} />
      <main id="main" className={className} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
