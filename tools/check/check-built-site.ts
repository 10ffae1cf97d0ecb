import { join } from 'node:path';
import type { Document } from 'happy-dom';
import type { Agency } from '#shared/content-schema.ts';
import type { Finding } from './finding.ts';
import { fileAt, readPages } from './read-page.ts';

/** Search engines cut what is longer. Source: what Google shows on a desk, about 600 and 960 pixels. */
const LONGEST_TITLE = 60;
const LONGEST_DESCRIPTION = 160;

type Page = { path: string; document: Document };

/**
 * What is wrong with a built site, page by page.
 * @param build absolute path of the folder with `site` and `server` in it
 */
export function checkBuiltSite(build: string, agency: Agency): Finding[] {
  const site = join(build, 'site');
  const pages = readPages(build);
  return [
    ...pages.flatMap((page) => missingFacts(page, agency)),
    ...missingComplaintRoute(pages, agency),
    ...pages.flatMap(longTexts),
    ...pages.flatMap((page) => deadLinks(page, site)),
    ...pages.flatMap(imagesWithoutText),
    ...missingFromSitemap(pages, site),
    ...pages.filter(isIndexed).flatMap((page) => missingShareImage(page, site)),
  ];
}

/**
 * The Company, Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015, 24 and 25;
 * of a sole trader, Companies Act 2006, section 1202.
 */
function missingFacts({ path, document }: Page, { legalName, registration, registeredOffice }: Agency): Finding[] {
  const text = document.body.textContent;
  const { street, city, postcode } = registeredOffice;
  const ofCompany = registration && [
    { what: "the company's number", parts: [registration.number] },
    { what: 'the part of the UK in which it is registered', parts: [registration.place] },
  ];
  const facts = [
    { what: registration ? "the company's registered name" : "the owner's name", parts: [legalName] },
    ...(ofCompany ?? []),
    { what: `the address of the ${registration ? 'registered office' : 'business'}`, parts: [street, city, postcode] },
  ];
  return facts
    .filter(({ parts }) => !parts.every((part) => text.includes(part)))
    .map(({ what, parts }) => ({
      where: path,
      problem: `${what} (${parts.join(', ')}) is not on the page`,
      advice: 'UK law asks for it on a business website: show it in the footer.',
    }));
}

/** UK GDPR, article 13(2)(d): people must be told that they may complain to the regulator. */
function missingComplaintRoute(pages: Page[], { dataProtection: { regulator } }: Agency): Finding[] {
  if (pages.some(({ document }) => document.querySelector(`main a[href="${regulator.url}"]`))) return [];
  return [
    {
      where: 'content/privacy-policy.md',
      problem: 'the policy does not say how to complain to the data regulator',
      advice: 'Link it under "Your rights": [{regulatorName}]({regulatorUrl}).',
    },
  ];
}

/** Where an owner changes the title and the description of a page. */
const FILE_OF: Record<string, string> = { '/': 'home.yaml', '/privacy-policy': 'privacy-policy.md' };

function longTexts({ path, document }: Page): Finding[] {
  const description = document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '';
  return [
    { what: 'title', text: document.title, most: LONGEST_TITLE },
    { what: 'description', text: description, most: LONGEST_DESCRIPTION },
  ]
    .filter(({ text, most }) => text.length === 0 || text.length > most)
    .map(({ what, text, most }) => ({
      where: FILE_OF[path] === undefined ? path : `content/${FILE_OF[path]} ${what}`,
      problem: text.length === 0 ? `there is no ${what}` : `the ${what} has ${text.length} characters`,
      advice: `Write one of at most ${most} characters: search engines cut what is longer.`,
    }));
}

function deadLinks({ path, document }: Page, site: string): Finding[] {
  const links = [...document.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  );
  const dead = [...new Set(links)].filter((link) => {
    const { host, pathname, hash } = new URL(link, `http://this-site${path}`);
    if (host !== 'this-site') return false;
    const target = fileAt(site, decodeURIComponent(pathname));
    return target === undefined || (hash !== '' && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`));
  });
  return dead.map((link) => ({
    where: path,
    problem: `the link ${link} leads nowhere`,
    advice: 'Correct the address, or the name after its #.',
  }));
}

function imagesWithoutText({ path, document }: Page): Finding[] {
  return [...document.querySelectorAll('img')]
    .filter((image) => !image.getAttribute('alt')?.trim())
    .map((image) => ({
      where: path,
      problem: `the image ${image.getAttribute('src')} has no text`,
      advice:
        'Describe it for those who do not see it; the portrait is described in home.yaml under founder.portraitAlt.',
    }));
}

function isIndexed({ path, document }: Page): boolean {
  return path !== '/404' && document.querySelector('meta[name="robots"][content*="noindex"]') === null;
}

function missingFromSitemap(pages: Page[], site: string): Finding[] {
  const sitemap = fileAt(site, '/sitemap.xml')?.toString();
  if (sitemap === undefined) {
    return [
      {
        where: 'SITE_URL',
        problem: 'the site was built without its address: it has no sitemap, and search engines are told to stay away',
        advice: 'Set SITE_URL to the address it will have, such as https://www.example.org, and build again.',
      },
    ];
  }
  return pages
    .filter(isIndexed)
    .map(({ path, document }) => ({
      path,
      address: document.querySelector('link[rel="canonical"]')?.getAttribute('href'),
    }))
    .filter(({ address }) => address === undefined || !sitemap.includes(`<loc>${address}</loc>`))
    .map(({ path }) => ({
      where: path,
      problem: 'the page is not in sitemap.xml under its canonical address',
      advice: 'Add it to SITE_PAGES in src/server/routes.tsx.',
    }));
}

function missingShareImage({ path, document }: Page, site: string): Finding[] {
  const address = document.querySelector('meta[property="og:image"]')?.getAttribute('content');
  const image = address ? fileAt(site, new URL(address).pathname) : undefined;
  // A PNG says its width and height in bytes 16 to 23.
  if (image && image.readUInt32BE(16) === 1200 && image.readUInt32BE(20) === 630) return [];
  return [
    {
      where: path,
      problem: 'there is no share image of 1200×630 pixels',
      advice: 'Build again with SITE_URL set; the build draws one for each page of SITE_PAGES.',
    },
  ];
}
