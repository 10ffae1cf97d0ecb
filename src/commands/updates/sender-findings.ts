import type { Resolver } from 'node:dns/promises';
import { explainCodes } from '#shared/explain-codes.ts';

/** A record that mail servers look for, and what to write if it isn't as they want it. */
export type Finding = { what: string; isFine: boolean; found: string; advice?: string };

/**
 * Looks up whether mail servers can trust emails from a domain: SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376).
 * @param selector the DKIM selector that the mail provider names; without one DKIM is not looked up
 */
export async function findSenderProblems(
  domain: string,
  selector: string | undefined,
  resolver: Resolver,
): Promise<Finding[]> {
  const checks = [checkSpf(domain, resolver), checkDmarc(domain, resolver)];
  if (selector !== undefined) checks.push(checkDkim(`${selector}._domainkey.${domain}`, resolver));
  return Promise.all(checks);
}

async function checkSpf(domain: string, resolver: Resolver): Promise<Finding> {
  const what = `SPF of ${domain}`;
  return look(what, async () => {
    const records = (await readTexts(resolver, domain)).filter((text) => /^v=spf1( |$)/i.test(text));
    const [record] = records;
    const advice = `Write the TXT record that your mail provider names at ${domain}, such as "v=spf1 include:spf.your-provider.com ~all".`;
    if (record === undefined) return { what, isFine: false, found: 'not found', advice };
    if (records.length > 1) {
      const merge = 'Write one record with the parts of both: with two, mail servers follow neither.';
      return { what, isFine: false, found: `${records.length} records`, advice: merge };
    }
    return { what, isFine: true, found: record };
  });
}

async function checkDmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const what = `DMARC of ${domain}`;
  return look(what, async () => {
    // A subdomain without a record has that of the domain above it.
    for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      const record = (await readTexts(resolver, `_dmarc.${name}`)).find((text) => /^v\s*=\s*DMARC1\b/i.test(text));
      if (record === undefined) continue;
      const isFine = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.test(record);
      const advice = `Write p=none, p=quarantine or p=reject after "v=DMARC1;" at _dmarc.${name}.`;
      return { what, isFine, found: record, ...(!isFine && { advice }) };
    }
    const advice = `Write a TXT record at _dmarc.${domain}: "v=DMARC1; p=none". Gmail, Yahoo and Outlook ask senders of many emails for one.`;
    return { what, isFine: false, found: 'not found', advice };
  });
}

async function checkDkim(name: string, resolver: Resolver): Promise<Finding> {
  const what = `DKIM at ${name}`;
  return look(what, async () => {
    // An empty key is a withdrawn one.
    const isFine = (await readTexts(resolver, name)).some((text) => /(^|;)\s*p\s*=\s*[^;\s]/.test(text));
    const advice = `Write the record that your mail provider names at ${name}, or check the selector.`;
    return { what, isFine, found: isFine ? 'found' : 'not found', ...(!isFine && { advice }) };
  });
}

/** If the name server gives no answer, the record isn't known. */
async function look(what: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    const { code = 'ETIMEOUT' } = error as { code?: string };
    const advice = 'Check the connection of this machine, and try again in a few minutes.';
    return { what, isFine: false, found: `not known: no answer from the name server (${explainCodes(code)})`, advice };
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
