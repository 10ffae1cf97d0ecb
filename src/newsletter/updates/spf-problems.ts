/**
 * Finds problems with an SPF record (RFC 7208), including those that show only when all its includes are followed.
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
  const where = `in the TXT record at ${domain}, where you look after the domain’s name servers`;
  const terms = splitTerms(record);
  const all = terms.find((term) => /^[+?~-]?all$/i.test(term))?.toLowerCase();
  if (all === 'all' || all === '+all') {
    return {
      found: 'it allows everybody',
      advice: `Write ~all in place of ${all} ${where}: as it is, anybody may send in your name.`,
    };
  }
  if (terms.every((term) => /^(?:[?~-]all|exp=.*)$/i.test(term))) {
    const add = provider === undefined ? 'what your mail provider names' : `include:${provider.include}`;
    return { found: 'it says that nobody sends emails', advice: `Add ${add} before ${all ?? '~all'} ${where}.` };
  }
  const missing = await follow(terms, walk);
  if (missing !== undefined) {
    return {
      found: `${missing} has no SPF record`,
      advice: `Take out or correct ${missing} ${where}: with it, mail servers follow none of the record.`,
    };
  }
  if (walk.lookups > MAX_LOOKUPS) {
    return {
      found: `it takes ${walk.lookups} look-ups, and ${MAX_LOOKUPS} are allowed`,
      advice: `Take out what you no longer send with, ${where}: mail servers stop at the eleventh.`,
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

type Walk = { names: Set<string>; lookups: number; readRecords: (name: string) => Promise<string[]> };

/** RFC 7208, section 4.6.4. */
const MAX_LOOKUPS = 10;

/** Mail servers may keep counting after the limit; we needn't. */
const MAX_FOLLOWED = 30;

/** @returns the first name without a record */
async function follow(terms: string[], walk: Walk): Promise<string | undefined> {
  for (const term of terms) {
    const [, name = '', target = ''] =
      /^[+?~-]?(include|redirect|a|mx|ptr|exists)(?:[:=/]([^/]*).*)?$/i.exec(term) ?? [];
    if (name === '') continue;
    walk.lookups += 1;
    if (!/^(?:include|redirect)$/i.test(name) || walk.lookups > MAX_FOLLOWED || target.includes('%')) continue;
    walk.names.add(target.toLowerCase());
    const [record, ...others] = (await walk.readRecords(target)).filter((text) => SPF.test(text));
    if (record === undefined || others.length > 0) return target;
    const missing = await follow(splitTerms(record), walk);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

const SPF = /^v=spf1( |$)/i;

function splitTerms(record: string): string[] {
  return record.trim().split(/\s+/).slice(1);
}
