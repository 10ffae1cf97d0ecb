import { describeSyncedFolder } from '#newsletter/database/synced-folder.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import { isPrivate, VARIABLES } from '#settings/environment.ts';
import { type LaunchFinding, reportIf } from './finding.ts';

/**
 * Checks the settings of the running site, and whether they match the content.
 * @param variables the environment of launch-check, which should be the same as the site's
 */
export function checkSettings(agency: Agency, variables: Record<string, string | undefined>): LaunchFinding[] {
  const reachesNobody = !variables.NEWSLETTER_ENDPOINT && !variables.SMTP_URL;
  const noServer = 'no mail server is set, so welcome emails would be written to files and reach nobody';
  const setOne = 'Set up your mail account under Settings on the desk.';
  const domain = agency.email.split('@')[1]!;
  const host = new URL(agency.website).hostname.replace(/^www\./, '');
  const foreign = `emails would be sent from ${domain}, while the site is ${host}`;
  const sheet = URL.parse(variables.SHEET_URL ?? '');
  const isGooglesWithoutSecret = sheet?.hostname === 'script.google.com' && !sheet.searchParams.get('secret');
  const synced = describeSyncedFolder(variables.DATA_DIR ?? 'data');
  return [
    ...findExamples(variables),
    ...reportIf(synced !== undefined, 'DATA_DIR', 'another program syncs this folder', synced ?? ''),
    ...reportIf(
      isGooglesWithoutSecret,
      'SHEET_URL',
      'the sheet’s script can’t erase anybody, since requests to it don’t contain its secret',
      'Follow steps 2 and 6 of integrations/google-sheets/README.md.',
    ),
    ...checkSiteUrl(variables.SITE_URL, agency.website),
    ...reportIf(reachesNobody, 'SMTP_URL', noServer, setOne),
    ...reportIf(
      !isOneSite(domain, host),
      'content/agency.yaml email',
      `${foreign}: many mail servers reject such emails or mark them as spam`,
      `Use an address at ${host}, then check its SPF, DKIM and DMARC records on the desk: “Will it arrive?” beside an update.`,
      'agency.email',
    ),
  ];
}

function isOneSite(...hosts: [string, string]): boolean {
  const [one, other] = hosts.map((host) => host.toLowerCase().replace(/^www\./, '')) as [string, string];
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

/** Finds settings that still contain an example from the docs. */
function findExamples(variables: Record<string, string | undefined>): LaunchFinding[] {
  return VARIABLES.flatMap((name) => {
    const withoutLogin = variables[name]?.replace(/\/\/.*@/, '//') ?? '';
    const [host] = EXAMPLE_HOST.exec(withoutLogin) ?? [];
    return reportIf(host !== undefined, name, `${host} is an example`, 'Replace it with your own.');
  });
}

/** Names reserved for examples (RFC 2606). */
const EXAMPLE_HOST = /[\w.-]*(?:(?<![\w-])example\.(?:com|net|org)|\.example)(?![\w.-])/i;

function checkSiteUrl(siteUrl: string | undefined, website: string): LaunchFinding[] {
  const url = URL.parse(siteUrl ?? '');
  const advice = 'Set SITE_URL to the address that visitors will type, such as https://www.your-agency.co.uk.';
  if (url === null) return [{ where: 'SITE_URL', problem: 'the address of the site is not set', advice }];
  // These names are reserved for tests (RFC 2606).
  const isNobodys = isPrivate(url) || /\.(test|invalid)$/.test(url.hostname);
  const { hostname } = new URL(website);
  const isOurs = isNobodys || EXAMPLE_HOST.test(url.hostname) || isOneSite(hostname, url.hostname);
  const foreign = `the website in the content is ${hostname}, but SITE_URL is ${url.origin}`;
  const isEncrypted = url.protocol === 'https:';
  return [
    ...reportIf(isNobodys, 'SITE_URL', `the address ${url.hostname} can never be reached from the internet`, advice),
    ...reportIf(!isOurs, 'content/agency.yaml website', foreign, 'Write the same address in both.', 'agency.website'),
    ...reportIf(!isEncrypted, 'SITE_URL', `the address ${url.origin} is not encrypted`, 'Start it with https://.'),
  ];
}

/** Checks that the country is GB if and only if the company is on a UK register. */
export function checkCountry({ registration, registeredOffice: { country } }: Agency): LaunchFinding[] {
  const isBritish = /\b(England|Wales|Scotland|Northern Ireland|United Kingdom|UK)\b/i.test(registration?.place ?? '');
  const isWrong = registration !== undefined && isBritish !== (country === 'GB');
  const where = 'content/agency.yaml registeredOffice > country';
  const problem = `the country is ${country}, but the company is registered in ${registration?.place}`;
  const advice =
    'Correct the country or the place of registration: GB goes with England and Wales, Scotland, or Northern Ireland.';
  return reportIf(isWrong, where, problem, advice, 'agency.registeredOffice.country');
}
