import type { Agency } from '#content/schemas/agency-schema.ts';
import { type LaunchFinding, reportIf } from './finding.ts';
import { parsePages } from './parse-page.ts';

type Page = ReturnType<typeof parsePages>[number];

/**
 * Finds legally required facts that a built site doesn't show.
 * @param build absolute path of the folder with `site` and `server` in it
 */
export function checkBuiltSite(build: string, agency: Agency): LaunchFinding[] {
  const pages = parsePages(build);
  return [...pages.flatMap((page) => findMissingFacts(page, agency)), ...findMissingComplaintRoute(pages, agency)];
}

/**
 * The Company, Limited Liability Partnership and Business (Names and Trading Disclosures) Regulations 2015, 24 and 25;
 * for a sole trader, Companies Act 2006, section 1202.
 */
function findMissingFacts(
  { path, text }: Page,
  { legalName, registration, registeredOffice }: Agency,
): LaunchFinding[] {
  const { street, city, postcode, country } = registeredOffice;
  const isBritish = country === 'GB';
  const registryFacts = registration && [
    { what: 'the company’s number', parts: [registration.number] },
    { what: `the ${isBritish ? 'part of the UK' : 'place'} in which it is registered`, parts: [registration.place] },
  ];
  const facts = [
    { what: registration ? 'the company’s registered name' : 'the owner’s name', parts: [legalName] },
    ...(registryFacts ?? []),
    { what: `the address of the ${registration ? 'registered office' : 'business'}`, parts: [street, city, postcode] },
  ];
  const law = isBritish ? 'UK law requires' : 'The law of many countries requires';
  const advice = `${law} it on a business website: show it in the footer.`;
  return facts.flatMap(({ what, parts }) => {
    const isMissing = !parts.every((part) => text.includes(part));
    return reportIf(isMissing, path, `${what} (${parts.join(', ')}) is not on the page`, advice);
  });
}

/** UK GDPR, article 13(2)(d): people must be told that they may complain to the regulator. */
function findMissingComplaintRoute(pages: Page[], { dataProtection: { regulator } }: Agency): LaunchFinding[] {
  const isThere = pages.some(({ mainLinks }) => mainLinks.includes(regulator.url));
  const problem = 'the policy does not say how to complain to the data regulator';
  const advice = 'Link it under “Your rights”: [{regulatorName}]({regulatorUrl}).';
  return reportIf(!isThere, 'content/privacy-policy.md', problem, advice, 'privacy-policy.text');
}
