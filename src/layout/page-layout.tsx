import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

type PageLayoutProps = { overHero?: boolean; className?: string; children: ReactNode };

/** A page with header and footer. */
export function PageLayout({ overHero = false, className, children }: PageLayoutProps) {
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
