/** Files that crawlers read besides the pages: robots.txt, sitemap.xml, llms.txt and security.txt. */
import type { SiteContent } from '#content/site-content.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { formatCompany } from '#content/company-details.ts';
import type { SitePage } from './page.ts';

/** RFC 9309. Everything is allowed: crawlers must be able to read the `noindex` of a site that isn't public yet. */
export function robotsTxt(siteUrl: string | undefined): string {
  const sitemap = siteUrl === undefined ? '' : `\nSitemap: ${siteUrl}/sitemap.xml\n`;
  return `User-agent: *\nDisallow:\n${sitemap}`;
}

/**
 * Source: sitemaps.org/protocol.html.
 * @param siteUrl the origin of the URLs
 */
export function sitemapXml(siteUrl: string, pages: SitePage[]): string {
  const urls = pages.map(({ path }) => `<url><loc>${siteUrl}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}

/** The site's content in Markdown. Source: llmstxt.org. */
export function llmsTxt(siteUrl: string | undefined, pages: SitePage[], { agency, faq }: SiteContent): string {
  const origin = siteUrl ?? '';
  const [home] = pages;
  const contacts = [
    [agency.location, ...agency.otherOffices].map(({ label }) => label).join('; '),
    ...(agency.telephone === undefined ? [] : [`Telephone: ${agency.telephone}`]),
    `Email: ${toReadableEmail(agency.email)}`,
    `Book a call: ${agency.calendar}`,
  ];
  return [
    `# ${agency.name}`,
    `> ${home?.description}`,
    `${formatCompany(agency)}. ${contacts.join('. ')}`,
    '## Pages',
    pages.map(({ title, path, description }) => `- [${title}](${origin}${path}): ${description}`).join('\n'),
    `## ${faq.heading}`,
    ...faq.items.map(({ question, answer }) => `### ${question}\n\n${answer}`),
  ]
    .join('\n\n')
    .concat('\n');
}

/** RFC 9116 recommends less than a year. */
const VALID_MS = 360 * 24 * 60 * 60 * 1000;

/**
 * Says where to report a vulnerability of the site (RFC 9116).
 * @param made when the file is written; it expires 360 days later, so the site must be rebuilt before then
 */
export function securityTxt({ email, language }: Agency, siteUrl: string | undefined, made: Date): string {
  const lines = [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(made.getTime() + VALID_MS).toISOString()}`,
    `Preferred-Languages: ${language.split('-', 1)[0]}`,
  ];
  if (siteUrl !== undefined) lines.push(`Canonical: ${siteUrl}/.well-known/security.txt`);
  return `${lines.join('\n')}\n`;
}
