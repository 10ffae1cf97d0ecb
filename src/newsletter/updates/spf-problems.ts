import { isIPv4, isIPv6 } from 'node:net';

/**
 * Finds problems with an SPF record (RFC 7208), including those that show only when all its includes are followed. A
 * library's evaluator isn't enough: it needs the IP address that an email comes from, which only the receiving server
 * sees, and it stops at the first match.
 * @param readRecords returns the TXT records of a name; empty if there is no such name
 * @param provider the name that the provider's customers include; undefined if the provider is unknown
 * @returns what is wrong and what to write; undefined if nothing is wrong
 * @throws if the name server doesn't respond
 */
export async function findSpfProblem(
  domain: string,
  record: string,
  readRecords: (name: string) => Promise<string[]>,
  provider?: { name: string; include: string },
): Promise<{ found: string; advice: string } | undefined> {
  const walk: Walk = { names: new Set([domain]), lookups: 0, readRecords };
  const where = `in the TXT record at ${domain}, where you manage the domain’s DNS`;
  const terms = splitTerms(record);
  const malformed = terms.find((term) => !isTerm(term));
  if (malformed !== undefined) {
    return {
      found: `“${malformed}” is not valid in an SPF record`,
      advice: `Correct or remove “${malformed}” ${where}: because of it, mail servers ignore the whole record.`,
    };
  }
  const missing = await follow(terms, walk);
  const all = terms.find((term) => /^[+?~-]?all$/i.test(term))?.toLowerCase();
  if (walk.open !== undefined) {
    return {
      found: 'it allows everybody',
      advice: terms.includes(walk.open)
        ? `Write ~all in place of ${walk.open} ${where}: as it is, anybody may send in your name.`
        : `Remove what leads to ${walk.open} ${where}: as it is, anybody may send in your name.`,
    };
  }
  if (terms.every((term) => /^(?:[?~-]all|exp=.*)$/i.test(term))) {
    const add = provider === undefined ? 'what your mail provider names' : `include:${provider.include}`;
    return { found: 'it says that nobody sends emails', advice: `Add ${add} before ${all ?? '~all'} ${where}.` };
  }
  if (missing !== undefined) {
    return {
      found: `${missing} has no SPF record`,
      advice: `Remove or correct ${missing} ${where}: because of it, mail servers ignore the whole record.`,
    };
  }
  if (walk.lookups > MAX_LOOKUPS) {
    return {
      found: `it takes ${walk.lookups} look-ups, but only ${MAX_LOOKUPS} are allowed`,
      advice: `Remove what you no longer send with, ${where}: mail servers stop at the eleventh.`,
    };
  }
  if (provider !== undefined && !walk.names.has(provider.include)) {
    return {
      found: `it does not name ${provider.name}, which sends your emails`,
      advice: `Add include:${provider.include} before ${all ?? '~all'} ${where}.`,
    };
  }
  return undefined;
}

type Walk = {
  names: Set<string>;
  lookups: number;
  /** The first term that allows every address. */
  open?: string;
  readRecords: (name: string) => Promise<string[]>;
};

const EVERYBODY = /^\+?(?:all|ip[46]:.*\/0)$/i;

/** RFC 7208, section 4.6.4. */
const MAX_LOOKUPS = 10;

/** Mail servers may keep counting after the limit; we needn't. */
const MAX_FOLLOWED = 30;

/** @returns the first name without a record */
async function follow(terms: string[], walk: Walk): Promise<string | undefined> {
  const hasAll = terms.some((term) => /^[+?~-]?all$/i.test(term));
  for (const term of terms) {
    if (EVERYBODY.test(term)) walk.open ??= term;
    const [, name = '', target = ''] =
      /^[+?~-]?(include|redirect|a|mx|ptr|exists)(?:[:=/]([^/]*).*)?$/i.exec(term) ?? [];
    // If there is an `all`, a redirect is ignored (section 6.1).
    if (name === '' || (hasAll && name.toLowerCase() === 'redirect')) continue;
    walk.lookups += 1;
    if (!/^(?:include|redirect)$/i.test(name) || walk.lookups > MAX_FOLLOWED || target.includes('%')) continue;
    // An address that matches a term with another sign is not allowed.
    if (!/^[~?-]/.test(term)) walk.names.add(target.toLowerCase().replace(/\.$/, ''));
    const [record, ...others] = (await walk.readRecords(target)).filter((text) => SPF.test(text));
    if (record === undefined || others.length > 0) return target;
    const missing = await follow(splitTerms(record), walk);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

const SPF = /^v=spf1( |$)/i;

/** The terms up to `all`: what comes after it is ignored (section 5.1), so a provider named there may not send. */
function splitTerms(record: string): string[] {
  const terms = record.trim().split(/\s+/).slice(1);
  const all = terms.findIndex((term) => /^[+?~-]?all$/i.test(term));
  return all === -1 ? terms : [...terms.slice(0, all + 1), ...terms.slice(all).filter((term) => !isTerm(term))];
}

/** Whether a term is a mechanism or a modifier (sections 5, 6 and 12). A malformed one invalidates the record. */
function isTerm(term: string): boolean {
  const [, name = '', , value = '', length = ''] =
    /^[+?~-]?(all|include|a|mx|ptr|ip4|ip6|exists)(:([^/]+))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i.exec(term) ?? [];
  switch (name.toLowerCase()) {
    case '':
      return /^[a-z][\w.-]*=/i.test(term);
    case 'all':
      return value === '' && length === '';
    case 'ip4':
      return isIPv4(value) && Number(length.slice(1)) <= 32;
    case 'ip6':
      return isIPv6(value) && Number(length.slice(1)) <= 128;
    case 'include':
    case 'exists':
      return value !== '';
    default:
      return true;
  }
}
