import './styles/layers.css';
import './styles/base.css';
import './styles/print.css';
import { prerender } from 'react-dom/static';
import { CookieBanner } from './cookie-banner/cookie-banner.tsx';
import { PageMetadata, StructuredData } from './page-metadata.tsx';
import type { Page, Site } from './page.ts';
import { SiteContext } from './site-context.ts';
import { SkipLink } from './skip-link.tsx';
import { ToastRegion } from '#components/toast-region.tsx';

/** A whole HTML document. */
export async function renderDocument(page: Page, site: Site): Promise<string> {
  const { prelude } = await prerender(
    <SiteContext value={site}>
      <Document page={page} site={site} />
    </SiteContext>,
  );
  return keepEmails(await new Response(prelude).text());
}

/**
 * Keeps Cloudflare from replacing email addresses: our CSP blocks the script that would restore them. It doesn't use
 * `Cache-Control: no-transform`, with which Cloudflare Pages would compress nothing.
 * Source: developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation
 */
function keepEmails(html: string): string {
  return html.replace('<body>', '<body><!--email_off-->').replace('</body>', '<!--/email_off--></body>');
}

type DocumentProps = { page: Page; site: Site };

function Document({ page, site: { assets, content } }: DocumentProps) {
  const { language } = content.agency;
  return (
    <html lang={language} data-interactions={assets.interactions}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Applies before the styles do, and keeps browsers from forcing their own dark scheme on the page. */}
        <meta name="color-scheme" content="light dark" />
        {/* Phones would turn the company number into a telephone link. */}
        <meta name="format-detection" content="telephone=no" />
        <PageMetadata page={page} />
        {assets.ownIcon ? <link rel="icon" href={assets.ownIcon} /> : <GeneratedIcons />}
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {assets.styles && <style dangerouslySetInnerHTML={{ __html: assets.styles.css }} />}
        {/* Low priority; otherwise it would compete with the fonts for the first round trips. */}
        <script type="module" fetchPriority="low" src={assets.loader} />
      </head>
      <body>
        {/* In the head, a preload delays the first paint until the font arrives. Here it is requested as early. */}
        {assets.fonts.map((font) => (
          // React would move it to the head if it had no handler; the handler isn't rendered.
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" onLoad={() => {}} />
        ))}
        <SkipLink />
        <CookieBanner isSecret={page.isSecret} />
        {page.body}
        <ToastRegion />
        {/* Styles of the banner, toasts and print: at the end, so that they don't block rendering. */}
        {assets.lateStyles && <link rel="stylesheet" href={assets.lateStyles} />}
        {page.path !== undefined && <StructuredData graph={page.graph} />}
      </body>
    </html>
  );
}

/** Search engines use the raster icon; browsers use the SVG; Chromium uses the last icon. */
function GeneratedIcons() {
  return (
    <>
      <link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    </>
  );
}
