import type { Agency } from '#shared/agency-schema.ts';
import { VARIABLES } from '#shared/environment.ts';
import { type Finding, reportIf } from './finding.ts';

/**
 * Checks the settings of the running site, and whether they fit the content.
 * @param variables the environment of launch-check, which should be the site's
 */
export function checkSettings(agency: Agency, variables: Record<string, string | undefined>): Finding[] {
  const reachesNobody = !variables.NEWSLETTER_ENDPOINT && !variables.SMTP_URL;
  const noServer = 'no mail server is set, so welcome emails would be written to files and reach nobody';
  const setOne = 'Write it into .env, such as SMTP_URL=smtps://user:password@mail.example.org.';
  const domain = agency.email.split('@')[1]!;
  const host = new URL(agency.website).hostname.replace(/^www\./, '');
  const foreign = `emails would be sent from ${domain}, while the site is ${host}`;
  return [
    ...findExamples(variables),
    ...checkSiteUrl(variables.SITE_URL, agency.website),
    ...reportIf(reachesNobody, 'SMTP_URL', noServer, setOne),
    ...reportIf(
      !isOneSite(domain, host),
      'content/agency.yaml email',
      `${foreign}: many mailboxes refuse or hide such emails`,
      `Use an address of ${host}. “Will it arrive” on the desk then reads its SPF, DKIM and DMARC records.`,
    ),
  ];
}

function isOneSite(...hosts: [string, string]): boolean {
  const [one, other] = hosts.map((host) => host.toLowerCase().replace(/^www\./, '')) as [string, string];
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

/** Finds settings that still contain an example from the docs. */
function findExamples(variables: Record<string, string | undefined>): Finding[] {
  return VARIABLES.flatMap((name) => {
    const withoutLogin = variables[name]?.replace(/\/\/.*@/, '//') ?? '';
    const [host] = EXAMPLE_HOST.exec(withoutLogin) ?? [];
    return reportIf(host !== undefined, name, `${host} is an example of an address`, 'Write your own in its place.');
  });
}

/** Names reserved for examples (RFC 2606). */
const EXAMPLE_HOST = /[\w.-]*(?:(?<![\w-])example\.(?:com|net|org)|\.example)(?![\w.-])/i;

/** Without SITE_URL the built site says so itself. */
function checkSiteUrl(siteUrl: string | undefined, website: string): Finding[] {
  const url = URL.parse(siteUrl ?? '');
  if (url === null) return [];
  const isLocal = LOCAL_HOST.test(url.hostname);
  const advice = 'Set SITE_URL to the address that visitors will type, such as https://www.your-agency.co.uk.';
  const { hostname } = new URL(website);
  const isOurs = isLocal || EXAMPLE_HOST.test(url.hostname) || isOneSite(hostname, url.hostname);
  return [
    ...reportIf(isLocal, 'SITE_URL', `${url.hostname} can never be a site of yours`, advice),
    ...reportIf(
      !isOurs,
      'content/agency.yaml website',
      `the site is called ${hostname}, and SITE_URL is ${url.origin}`,
      'Write the same address in both.',
    ),
    ...reportIf(
      url.protocol !== 'https:',
      'SITE_URL',
      `the address ${url.origin} is not encrypted`,
      'Begin it with https://.',
    ),
  ];
}

/** Names of this machine, or reserved for tests (RFC 2606, RFC 6761). */
const LOCAL_HOST = /(^|\.)(test|invalid|localhost)$|^127\.|^\[::1\]$/;

/** A company in a register of the UK is British, and so is its regulator. */
export function checkCountry({ registration, registeredOffice, dataProtection }: Agency): Finding[] {
  const { country } = registeredOffice;
  const { hostname } = new URL(dataProtection.regulator.url);
  const isBritish = /\b(England|Wales|Scotland|Northern Ireland|United Kingdom|UK)\b/i.test(registration?.place ?? '');
  const isWrong = registration !== undefined && isBritish !== (country === 'GB');
  const problem = `the country is ${country}, and the company is registered in ${registration?.place}`;
  const advice =
    'Correct country, or the place of registration: GB goes with England and Wales, Scotland, Northern Ireland.';
  const isForeign = country !== 'GB' && /(^|\.)ico\.org\.uk$/.test(hostname);
  return [
    ...reportIf(isWrong, 'content/agency.yaml registeredOffice > country', problem, advice),
    ...reportIf(
      isForeign,
      'content/agency.yaml dataProtection > regulator',
      `the regulator is the UK’s, and the country is ${country}`,
      'Name the regulator of your country.',
    ),
  ];
}
