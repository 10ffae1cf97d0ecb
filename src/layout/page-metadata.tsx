import { useContent, useSite } from './site-context.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { Page } from './page.ts';
import { structuredData } from './structured-data.ts';

type PageMetadataProps = { page: Page };

/** A page's metadata for search engines, link previews and browsers. */
export function PageMetadata({ page }: PageMetadataProps) {
  const { assets, settings, content } = useSite();
  const { agency, brand } = content;
  const { path } = page;
  const { siteUrl } = settings;
  return (
    <>
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
      {Object.entries(agency.verification).map(([service, token]) => (
        <meta key={service} name={VERIFICATION_NAMES[service as keyof typeof VERIFICATION_NAMES]} content={token} />
      ))}
      <meta name="theme-color" content={brand.light.deep} />
    </>
  );
}

/** The name of each service's `<meta>` element. */
const VERIFICATION_NAMES: Record<keyof Agency['verification'], string> = {
  google: 'google-site-verification',
  bing: 'msvalidate.01',
};

type ShareTagsProps = { page: Page; url: string; image: string };

/** The link preview of a page. Source: ogp.me. X falls back to these tags for everything but the card type. */
function ShareTags({ page, url, image }: ShareTagsProps) {
  const { agency } = useContent();
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={agency.name} />
      <meta property="og:locale" content={toOgLocale(agency.language)} />
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

/** @returns the language and its territory, which Open Graph requires: `de_DE` for `de` */
function toOgLocale(code: string): string {
  const { language, region } = new Intl.Locale(code).maximize();
  return `${language}_${region}`;
}

type StructuredDataProps = { graph: Page['graph'] };

/** Structured data of the page, with the URL that the site will have. */
export function StructuredData({ graph }: StructuredDataProps) {
  const { settings, content } = useSite();
  const { agency } = content;
  const data = structuredData(agency, settings.siteUrl ?? new URL(agency.website).origin, graph);
  // A closing tag in the text would end the script.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}

/** The title of a page other than the home page. */
export function makeTitle(page: string, agency: Agency): string {
  return `${page} | ${agency.name}`;
}
