import { Resolver } from 'node:dns/promises';
import { explainCodes } from '#shared/explain-codes.ts';

/** A record that mail servers look for, and what to write if it isn't there. */
export type Finding = { what: string; isFine: boolean; found: string; advice?: string };

/**
 * Looks up whether mail servers will trust emails from an address.
 * @param email the agency's
 */
export function checkSender(email: string, selector: string | undefined): Promise<Finding[]> {
  const domain = email.slice(email.indexOf('@') + 1);
  return findSenderProblems(domain, selector, new Resolver({ timeout: 3000, tries: 2 }));
}

/**
 * Looks up whether mail servers can trust emails from a domain: SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376).
 * @param selector the DKIM selector that the mail provider names; without one DKIM is not looked up
 */
export function findSenderProblems(
  domain: string,
  selector: string | undefined,
  resolver: Resolver,
): Promise<Finding[]> {
  const dkim = `${selector}._domainkey.${domain}`;
  const labels = domain.split('.');
  const records: TextRecord[] = [
    {
      what: `SPF of ${domain}`,
      names: [domain],
      pattern: /^v=spf1( |$)/i,
      advice: `Write the TXT record that your mail provider names at ${domain}, such as "v=spf1 include:spf.your-provider.com ~all".`,
    },
    {
      what: `DMARC of ${domain}`,
      // A subdomain without a record has that of the domain above it.
      names: labels.slice(0, -1).map((_, index) => `_dmarc.${labels.slice(index).join('.')}`),
      pattern: /^v\s*=\s*DMARC1\b.*;\s*p\s*=\s*(none|quarantine|reject)\b/i,
      advice: `Write a TXT record at _dmarc.${domain}: "v=DMARC1; p=none". Gmail, Yahoo and Outlook ask senders of many emails for one.`,
    },
    {
      what: `DKIM at ${dkim}`,
      names: [dkim],
      // An empty key is a withdrawn one.
      pattern: /(^|;)\s*p\s*=\s*[^;\s]/,
      advice: `Write the record that your mail provider names at ${dkim}, or check the selector.`,
    },
  ];
  return Promise.all(records.slice(0, selector === undefined ? 2 : 3).map((record) => check(record, resolver)));
}

/** @property names the first that has a text of the pattern counts */
type TextRecord = { what: string; names: string[]; pattern: RegExp; advice: string };

async function check({ what, names, pattern, advice }: TextRecord, resolver: Resolver): Promise<Finding> {
  try {
    for (const name of names) {
      const { length } = (await readTexts(resolver, name)).filter((text) => pattern.test(text));
      if (length === 1) return { what, isFine: true, found: 'found' };
      const merge = 'Write one record with the parts of both: with two, mail servers follow neither.';
      if (length > 1) return { what, isFine: false, found: `${length} records`, advice: merge };
    }
    return { what, isFine: false, found: 'not found', advice };
  } catch (error) {
    const { code = 'ETIMEOUT' } = error as { code?: string };
    const found = `not known: no answer from the name server (${explainCodes(code)})`;
    const retry = 'Check the connection of this machine, and try again in a few minutes.';
    return { what, isFine: false, found, advice: retry };
  }
}

/** The TXT records of a name; none if the name doesn't exist. */
async function readTexts(resolver: Resolver, name: string): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
