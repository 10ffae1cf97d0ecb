import { consent } from 'virtual:content';
import { prerender } from 'react-dom/static';
import type { Site } from '#site/document.tsx';
import { CookieBanner } from './cookie-banner.tsx';
import bannerStyles from './cookie-banner.tsx?own-styles';

/**
 * A document that holds the banner and its styles alone: the loader fetches it once a visitor has to be asked. They
 * stand in a template, so that the browser takes in the styles only where they are put.
 */
export async function renderBanner({ assets }: Site): Promise<string> {
  const styles = assets.styles?.[bannerStyles];
  const { prelude } = await prerender(
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <title>{consent.banner.title}</title>
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <template>
          {styles && <style dangerouslySetInnerHTML={{ __html: styles.css }} />}
          <CookieBanner />
        </template>
      </body>
    </html>,
  );
  return new Response(prelude).text();
}
