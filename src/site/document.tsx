import '#site/styles/layers.css';
import 'virtual:fonts.css';
import '#site/styles/tokens.css';
import '#site/styles/base.css';
import { agency } from 'virtual:content';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import type { SiteSettings } from '../site-settings.ts';
import { SkipLink } from './shell/skip-link.tsx';

/** What the build made: addresses of scripts and fonts, and each page's stylesheet. */
export type Assets = {
  styles: Record<string, { css: string; hash: string }>;
  wake: string[];
  notFound: string;
  fonts: string[];
};

/** What every document needs to know besides its own words. */
export type Site = { assets: Assets; settings: SiteSettings };

export type Page = {
  /** Which stylesheet: the file's name before `-page.tsx`. */
  name: string;
  title: string;
  description: string;
  /** The page's own path; left out for pages that answer to one request and must not be indexed. */
  path?: string;
  /** Addresses of scripts beside the loader. */
  scripts?: string[];
  structuredData?: object;
  body: ReactNode;
};

/** A whole HTML document. */
export async function renderDocument(page: Page, site: Site): Promise<string> {
  const { prelude } = await prerender(<Document page={page} site={site} />);
  return new Response(prelude).text();
}

function Document({ page, site: { assets, settings } }: { page: Page; site: Site }) {
  const indexed = page.path !== undefined && settings.siteUrl !== undefined;
  const styles = assets.styles[page.name];
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        {indexed ? <link rel="canonical" href={settings.siteUrl + page.path!} /> : <meta name="robots" content="noindex" />}
        <meta name="theme-color" content="#0d3b38" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {assets.fonts.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" />
        ))}
        {styles && <style dangerouslySetInnerHTML={{ __html: styles.css }} />}
        {[...assets.wake, ...(page.scripts ?? [])].map((script) => (
          <script key={script} type="module" src={script} />
        ))}
      </head>
      <body>
        <SkipLink />
        <div id="cookie-banner" />
        {page.body}
        {page.structuredData && (
          <script
            type="application/ld+json"
            // A closing tag inside a text would end the script.
            dangerouslySetInnerHTML={{ __html: JSON.stringify(page.structuredData).replaceAll('<', '\\u003c') }}
          />
        )}
      </body>
    </html>
  );
}

/** The title of a page that is not the home page. */
export function titleOf(page: string): string {
  return `${page} | ${agency.name}`;
}
