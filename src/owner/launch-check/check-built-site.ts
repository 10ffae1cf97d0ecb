import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'happy-dom';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { listAddresses } from '#server/built-site.ts';
import type { Agency } from '#shared/agency-schema.ts';
import { type Finding, reportIf } from './finding.ts';
import { readPages } from './read-page.ts';

/** Search engines cut what is longer. Source: what Google shows on a desk, about 600 and 960 pixels. */
const MAX_TITLE = 60;
const MAX_DESCRIPTION = 160;

type Page = { path: string; document: Document };

/**
 * Finds the mistakes of a built site, page by page.
 * @param build absolute path of the folder with `site` and `server` in it
 */
export function checkBuiltSite(build: string, agency: Agency): Finding[] {
  const files = listAddresses(build);
  const pages = readPages(build);
  return [
    ...pages.flatMap((page) => findMissingFacts(page, agency)),
    ...findMissingComplaintRoute(pages, agency),
    ...pages.flatMap(findLongTexts),
    ...pages.flatMap((page) => findDeadLinks(page, build, files)),
    ...findMissingAddress(files),
  ];
}

/**
 * The Company, Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015, 24 and 25;
 * of a sole trader, Companies Act 2006, section 1202.
 */
function findMissingFacts({ path, document }: Page, { legalName, registration, registeredOffice }: Agency): Finding[] {
  const text = document.body.textContent;
  const { street, city, postcode } = registeredOffice;
  const companyFacts = registration && [
    { what: 'the company’s number', parts: [registration.number] },
    { what: 'the part of the UK in which it is registered', parts: [registration.place] },
  ];
  const facts = [
    { what: registration ? 'the company’s registered name' : 'the owner’s name', parts: [legalName] },
    ...(companyFacts ?? []),
    { what: `the address of the ${registration ? 'registered office' : 'business'}`, parts: [street, city, postcode] },
  ];
  const advice = 'UK law asks for it on a business website: show it in the footer.';
  return facts.flatMap(({ what, parts }) => {
    const isMissing = !parts.every((part) => text.includes(part));
    return reportIf(isMissing, path, `${what} (${parts.join(', ')}) is not on the page`, advice);
  });
}

/** UK GDPR, article 13(2)(d): people must learn that they may complain to the regulator. */
function findMissingComplaintRoute(pages: Page[], { dataProtection: { regulator } }: Agency): Finding[] {
  const isThere = pages.some(({ document }) => document.querySelector(`main a[href="${regulator.url}"]`));
  const problem = 'the policy does not say how to complain to the data regulator';
  const advice = 'Link it under “Your rights”: [{regulatorName}]({regulatorUrl}).';
  return reportIf(!isThere, 'content/privacy-policy.md', problem, advice);
}

/** Where an owner changes the title and the description of a page. */
const CONTENT_FILES: Record<string, string> = { '/': 'home.yaml', '/privacy-policy': 'privacy-policy.md' };

function findLongTexts({ path, document }: Page): Finding[] {
  const description = document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '';
  return [
    { what: 'title', text: document.title, max: MAX_TITLE },
    { what: 'description', text: description, max: MAX_DESCRIPTION },
  ].flatMap(({ what, text, max }) => {
    const where = CONTENT_FILES[path] === undefined ? path : `content/${CONTENT_FILES[path]} ${what}`;
    const problem = text.length === 0 ? `there is no ${what}` : `the ${what} has ${text.length} characters`;
    const advice = `Write one of at most ${max} characters: search engines cut what is longer.`;
    return reportIf(text.length === 0 || text.length > max, where, problem, advice);
  });
}

function findDeadLinks({ path, document }: Page, build: string, files: Map<string, string>): Finding[] {
  const links = [...document.querySelectorAll('[href], [src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  );
  const advice = 'Correct the address, or the name after its #.';
  return [...new Set(links)].flatMap((link) =>
    reportIf(isDead(link, path, build, files), path, `the link ${link} leads nowhere`, advice),
  );
}

function isDead(link: string, path: string, build: string, files: Map<string, string>): boolean {
  const { host, pathname, hash } = new URL(link, `http://this-site${path}`);
  if (host !== 'this-site') return false;
  const file = files.get(tryDecodeURIComponent(pathname));
  if (file === undefined || hash === '') return file === undefined;
  return !readFileSync(join(build, 'site', file)).includes(` id="${tryDecodeURIComponent(hash.slice(1))}"`);
}

/** Without SITE_URL the build makes no sitemap. */
function findMissingAddress(files: Map<string, string>): Finding[] {
  const isMissing = !files.has('/sitemap.xml');
  const problem =
    'the site was built without its address: it has no sitemap, and search engines are asked not to list the site';
  const advice = 'Set SITE_URL to the address it will have, such as https://www.example.org, and build again.';
  return reportIf(isMissing, 'SITE_URL', problem, advice);
}
