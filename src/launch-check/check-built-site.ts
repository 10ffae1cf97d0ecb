import type { Document } from 'happy-dom';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { type Finding, reportIf } from './finding.ts';
import { readPages } from './read-page.ts';

type Page = { path: string; document: Document };

/**
 * Finds legally required facts that a built site doesn't show.
 * @param build absolute path of the folder with `site` and `server` in it
 */
export function checkBuiltSite(build: string, agency: Agency): Finding[] {
  const pages = readPages(build);
  return [...pages.flatMap((page) => findMissingFacts(page, agency)), ...findMissingComplaintRoute(pages, agency)];
}

/**
 * The Company, Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015, 24 and 25;
 * for a sole trader, Companies Act 2006, section 1202.
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
  return reportIf(!isThere, 'content/privacy-policy.md', problem, advice, 'privacy-policy.text');
}
