import '#site/styles/layers.css';
import 'virtual:fonts.css';
import '#site/styles/tokens.css';
import '#site/styles/base.css';
import printSheet from '#site/styles/print.css?url';
import { brand } from 'virtual:brand';
import { agency } from 'virtual:content';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import type { Agency } from '#shared/content-schema.ts';
import type { SiteSettings } from '#shared/site-settings.ts';
import { type Node, structuredData } from './discovery/structured-data.ts';
import { SkipLink } from './shell/skip-link.tsx';

/** The colour of a browser's own frame around the page. */
export const THEME_COLOUR = brand.light.deep;

/** A script's address, and the hash (Subresource Integrity) without which it does not run. */
export type Script = { src: string; integrity?: string };

/** What the build made: scripts, fonts and share images by their addresses, and each page's stylesheet. */
export type Assets = {
  /** By page; left out in development, where every component's styles are linked. */
  styles?: Record<PageStyles, { css: string; hash: string }>;
  loader: Script[];
  /** The address of what the loader fetches when a part of the page is touched. */
  parts: string;
  notFound: Script;
  fonts: string[];
  /** By the page's path. */
  shareImages: Record<string, string>;
};

/** Whose styles a document carries: what `import styles from './x-page.tsx?styles'` gives. */
export type PageStyles = string;

/** What every document needs to know besides its own words. */
export type Site = {
  assets: Assets;
  settings: SiteSettings;
};

export type Page = {
  styles: PageStyles;
  title: string;
  description: string;
  /** The page's own path; left out for pages that answer to one request and must not be indexed. */
  path?: string;
  /** What its share image says. */
  share?: { eyebrow: string; headline: string };
  /** Scripts beside the loader. */
  scripts?: Script[];
  /** Structured data beside what every page has that may be indexed. */
  graph?: (origin: string) => Node[];
  body: ReactNode;
};

/** A page that search engines may find and people may share. */
export type SitePage = Omit<Page, 'body'> &
  Required<Pick<Page, 'path' | 'share' | 'graph'>> & { body: (site: Site) => ReactNode };

/** A whole HTML document. */
export async function renderDocument(page: Page, site: Site): Promise<string> {
  const { prelude } = await prerender(<Document page={page} site={site} />);
  return new Response(prelude).text();
}

function Document({ page, site: { assets, settings } }: { page: Page; site: Site }) {
  const { path } = page;
  const { siteUrl } = settings;
  const styles = assets.styles?.[page.styles];
  if (assets.styles && !styles) throw new Error(`The build has no styles for ${page.styles}: build again`);
  return (
    <html lang="en-GB" data-parts={assets.parts}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        {path !== undefined && siteUrl !== undefined ? (
          <>
            <link rel="canonical" href={siteUrl + path} />
            <ShareTags page={page} url={siteUrl + path} image={siteUrl + assets.shareImages[path]} />
          </>
        ) : (
          <meta name="robots" content="noindex" />
        )}
        {Object.entries(agency.verification).map(([who, token]) => (
          <meta key={who} name={VERIFICATION_NAMES[who as keyof typeof VERIFICATION_NAMES]} content={token} />
        ))}
        <meta name="theme-color" content={THEME_COLOUR} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {styles && <style dangerouslySetInnerHTML={{ __html: styles.css }} />}
        <link rel="stylesheet" href={printSheet} media="print" />
        {[...assets.loader, ...(page.scripts ?? [])].map((script) => (
          // Low, or the loader would share the first round trips with the fonts.
          <script key={script.src} type="module" fetchPriority="low" {...script} />
        ))}
      </head>
      <body>
        <FontPreloads fonts={assets.fonts} />
        <SkipLink />
        <div id="cookie-banner" />
        {page.body}
        {page.graph && <StructuredData graph={structuredData(siteUrl ?? new URL(agency.website).origin, page.graph)} />}
      </body>
    </html>
  );
}

/** Under which name each asks for its token. */
const VERIFICATION_NAMES: Record<keyof Agency['verification'], string> = {
  google: 'google-site-verification',
  bing: 'msvalidate.01',
  pinterest: 'p:domain_verify',
  facebook: 'facebook-domain-verification',
  yandex: 'yandex-verification',
};

/**
 * At the start of the body, since a font that is preloaded in the head holds the first paint back until it has come.
 * Here it is asked for as early, and on a fast connection still comes before the first paint.
 */
function FontPreloads({ fonts }: { fonts: string[] }) {
  return fonts.map((font) => (
    // With a handler, which no HTML has, React leaves the link where it stands; without one it moves it to the head.
    <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" onLoad={() => undefined} />
  ));
}

/** What is shown where the page is shared. Sources: ogp.me; X falls back to these for all but the kind of card. */
function ShareTags({ page, url, image }: { page: Page; url: string; image: string }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={agency.name} />
      <meta property="og:locale" content="en_GB" />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={`${page.share?.headline} | ${agency.name}`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function StructuredData({ graph }: { graph: object }) {
  // A closing tag inside a text would end the script.
  const json = JSON.stringify(graph).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}

/** The title of a page that is not the home page. */
export function titleOf(page: string): string {
  return `${page} | ${agency.name}`;
}
