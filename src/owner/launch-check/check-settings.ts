import type { Agency } from '#shared/agency-schema.ts';
import { type Finding, reportIf } from './finding.ts';

/**
 * Checks the settings of the running site, and whether they fit the content.
 * @param variables the environment of launch-check, which is to be that of the site
 * @param origin of the live site, where it is checked
 */
export function checkSettings(
  agency: Agency,
  variables: Record<string, string | undefined>,
  origin?: string,
): Finding[] {
  const reachesNobody = !variables.NEWSLETTER_ENDPOINT && !variables.SMTP_URL;
  const noServer = 'no mail server is set, so welcome emails would be written to files and reach nobody';
  const setOne = 'Write it into .env, such as SMTP_URL=smtps://user:password@mail.example.org.';
  const domain = agency.email.split('@')[1]!.toLowerCase();
  const host = new URL(agency.website).hostname.replace(/^www\./, '');
  const isForeign = domain !== host && !host.endsWith(`.${domain}`) && !domain.endsWith(`.${host}`);
  const foreign = `emails would be sent from ${domain}, while the site is ${host}`;
  return [
    ...checkAddress(variables.SITE_URL),
    ...checkSameAddress(variables.SITE_URL, origin),
    ...reportIf(reachesNobody, 'SMTP_URL', noServer, setOne),
    ...reportIf(
      RESERVED_HOST.test(variables.NOTIFY_TO?.split('@')[1] ?? ''),
      'NOTIFY_TO',
      `${variables.NOTIFY_TO} is an example of an address`,
      'Write your own there: it gets the weekly email and every warning.',
    ),
    ...reportIf(
      isForeign,
      'content/agency.yaml email',
      `${foreign}: many mailboxes refuse or hide such emails`,
      `Use an address of ${host}. “Will it arrive” on the desk then reads its SPF, DKIM and DMARC records.`,
    ),
  ];
}

/** Without SITE_URL the built site says so itself. */
function checkAddress(siteUrl: string | undefined): Finding[] {
  const url = URL.parse(siteUrl ?? '');
  if (url === null) return [];
  const advice = 'Set SITE_URL to the address that visitors will type, such as https://www.your-agency.co.uk.';
  return [
    ...reportIf(RESERVED_HOST.test(url.hostname), 'SITE_URL', `${url.hostname} can never be a site of yours`, advice),
    ...reportIf(
      url.protocol !== 'https:',
      'SITE_URL',
      `the address ${url.origin} is not encrypted`,
      'Begin it with https://.',
    ),
  ];
}

/** Links in mails and canonical addresses are made of SITE_URL. */
function checkSameAddress(siteUrl: string | undefined, origin: string | undefined): Finding[] {
  const isOther = origin !== undefined && siteUrl !== undefined && URL.parse(siteUrl)?.origin !== origin;
  const problem = `${siteUrl} is another address than ${origin}, which is checked`;
  return reportIf(isOther, 'SITE_URL', problem, `Set SITE_URL=${origin} where the site runs, or check ${siteUrl}.`);
}

/** Names that belong to nobody or to this machine (RFC 2606, RFC 6761). */
const RESERVED_HOST = /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost)$|^127\.|^\[::1\]$/;

/** The register of a part of the UK holds companies of the UK. */
export function checkCountry({ registration, registeredOffice: { country } }: Agency): Finding[] {
  const isBritish = /\b(England|Wales|Scotland|Northern Ireland|United Kingdom|UK)\b/i.test(registration?.place ?? '');
  const isWrong = registration !== undefined && isBritish !== (country === 'GB');
  const problem = `the country is ${country}, and the company is registered in ${registration?.place}`;
  const advice =
    'Correct country, or the place of registration: GB goes with England and Wales, Scotland, Northern Ireland.';
  return reportIf(isWrong, 'content/agency.yaml registeredOffice > country', problem, advice);
}
