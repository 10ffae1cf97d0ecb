import { createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { explainCodes } from '#shared/explain-codes.ts';
import { findMailProvider, type MailProvider } from './mail-providers.ts';
import { findSpfProblem } from './spf-problems.ts';

/**
 * A record that mail servers look for, and what to write if it is missing. `isUnknown`: only the owner can see whether
 * it is right.
 */
export type SenderFinding = { what: string; isFine: boolean; isUnknown?: boolean; found: string; advice?: string };

/**
 * Checks whether mail servers will trust emails from an address.
 * @param email the agency's email address
 * @param smtpUrl SMTP_URL, which identifies the provider
 */
export function checkSender(email: string, selector: string | undefined, smtpUrl?: string): Promise<SenderFinding[]> {
  const domain = email.slice(email.indexOf('@') + 1);
  return findSenderProblems(domain, selector, new Resolver({ timeout: 3000, tries: 2 }), smtpUrl);
}

/**
 * Checks whether mail servers can trust emails from a domain: SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376).
 * @param selector the DKIM selector that the mail provider names; without it, DKIM isn't checked
 */
export async function findSenderProblems(
  domain: string,
  selector: string | undefined,
  resolver: Resolver,
  smtpUrl?: string,
): Promise<SenderFinding[]> {
  const provider = findMailProvider(URL.parse(smtpUrl ?? '')?.hostname ?? '');
  const dkim = `${selector}._domainkey.${domain}`;
  const labels = domain.split('.');
  const records: TextRecord[] = [
    {
      what: `SPF of ${domain}`,
      names: [domain],
      pattern: /^v=spf1( |$)/i,
      damaged: /spf1/i,
      ifDamaged: `Correct the TXT record at ${domain}, so that it begins with v=spf1 and a space, without quotation marks.`,
      advice: `At ${domain}, add the TXT record that your mail provider gives you, such as "v=spf1 include:spf.your-provider.com ~all".`,
    },
    {
      what: `DMARC of ${domain}`,
      // A subdomain without a record inherits that of its parent domain.
      names: labels.slice(0, -1).map((_, index) => `_dmarc.${labels.slice(index).join('.')}`),
      pattern: /^v\s*=\s*DMARC1\s*;(.*;)?\s*p\s*=\s*(none|quarantine|reject)\b/,
      damaged: /dmarc1/i,
      ifDamaged: `Correct the TXT record at _dmarc.${domain}, so that it begins with v=DMARC1; and contains p=none, p=quarantine or p=reject, with semicolons between the parts and without quotation marks.`,
      advice: `At _dmarc.${domain}, add the TXT record "v=DMARC1; p=none". Gmail, Yahoo and Outlook require one from bulk senders.`,
    },
    {
      what: `DKIM at ${dkim}`,
      names: [dkim],
      // An empty key has been revoked.
      pattern: /(^|;)\s*p\s*=\s*[^;\s]/,
      advice: `At ${dkim}, add the record that your mail provider gives you, or check the selector.`,
      ifSeveral: 'Remove the one that your mail provider no longer lists: mail servers may use either.',
      isSound: hasKey,
    },
  ];
  const found = await Promise.all(
    records.slice(0, selector === undefined ? 2 : 3).map((record) => check(record, resolver)),
  );
  const [spf, ...others] = found;
  const followed = spf!.isFine ? await checkSpf(domain, spf!, resolver, provider) : spf!;
  return [followed, ...others, ...checkLogin(domain, smtpUrl), ...describeTracking(provider)];
}

async function checkSpf(
  domain: string,
  finding: SenderFinding,
  resolver: Resolver,
  provider: MailProvider | undefined,
): Promise<SenderFinding> {
  const readRecords = (name: string) => readTexts(resolver, name);
  const include = provider?.include;
  try {
    const record = (await readRecords(domain)).find((text) => /^v=spf1( |$)/i.test(text)) ?? '';
    const known = provider && include !== undefined ? { name: provider.name, include } : undefined;
    const problem = await findSpfProblem(domain, record, readRecords, known);
    return problem === undefined ? finding : { ...finding, isFine: false, ...problem };
  } catch (error) {
    return { ...finding, isFine: false, ...describeNoAnswer(error) };
  }
}

/**
 * A mailbox at another domain sends in that domain's name, whatever the sender's address is. iCloud and Fastmail sign
 * for a customer's own domain.
 */
function checkLogin(domain: string, smtpUrl: string | undefined): SenderFinding[] {
  const { username = '', hostname = '' } = URL.parse(smtpUrl ?? '') ?? {};
  const login = decodeURIComponent(username);
  const [provider = ''] = domain.split('.');
  if (hostname !== '' && FREE_MAILBOX.test(`@${domain}`) && !`${login} ${hostname}`.includes(provider)) {
    const advice = `Use an address at a domain of your own as the agency’s email address. Emails that ${hostname} sends for ${domain} fail its DMARC.`;
    return [{ what: `Sender at ${domain}`, isFine: false, found: `${hostname} may not send for it`, advice }];
  }
  const other = FREE_MAILBOX.exec(login)?.[0].slice(1);
  if (other === undefined || other.toLowerCase() === domain) return [];
  const advice = `Log in with a mailbox at ${domain}, or use an email sending service. Emails that ${other} sends for ${domain} fail its DMARC.`;
  return [{ what: `Login at ${other}`, isFine: false, found: `it does not belong to ${domain}`, advice }];
}

const FREE_MAILBOX =
  /@(gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|aol|gmx|web|mail|freenet|t-online|btinternet|virginmedia|sky|talktalk|orange|wanadoo|free|laposte|libero)\.([a-z]{2}|com|net|org)(\.[a-z]{2})?$/i;

/** Only the provider knows whether tracking is off. */
function describeTracking(provider: MailProvider | undefined): SenderFinding[] {
  if (provider?.tracking === undefined) return [];
  const what = `Tracking at ${provider.name}`;
  const advice = `Your privacy policy promises that nobody is tracked. Check this yourself at ${provider.name}: ${provider.tracking}.`;
  return [{ what, isFine: false, isUnknown: true, found: 'only you can see whether it is off', advice }];
}

/** @property names the first one with a record that matches the pattern counts */
type TextRecord = {
  what: string;
  names: string[];
  pattern: RegExp;
  advice: string;
  ifSeveral?: string;
  /** Recognises a record that mail servers ignore because of a mistake in it, and what to do about it. */
  damaged?: RegExp;
  ifDamaged?: string;
  isSound?: (text: string) => boolean;
};

async function check(record: TextRecord, resolver: Resolver): Promise<SenderFinding> {
  const { what, names, pattern, advice, ifSeveral = MERGE, isSound } = record;
  try {
    for (const name of names) {
      const texts = await readTexts(resolver, name);
      const found = texts.filter((text) => pattern.test(text));
      if (found.length > 1) return { what, isFine: false, found: `${found.length} records`, advice: ifSeveral };
      if (found[0] === undefined) {
        if (!texts.some((text) => record.damaged?.test(text))) continue;
        return { what, isFine: false, found: 'a damaged record', advice: record.ifDamaged! };
      }
      const isDamaged = isSound?.(found[0]) === false;
      return isDamaged
        ? { what, isFine: false, found: 'a damaged key', advice: CUT_OFF }
        : { what, isFine: true, found: 'found' };
    }
    return { what, isFine: false, found: 'not found', advice };
  } catch (error) {
    return { what, isFine: false, ...describeNoAnswer(error) };
  }
}

const MERGE = 'Combine them into one record: with two, mail servers follow neither.';

const CUT_OFF =
  'Copy the record from your mail provider again, without quotation marks or spaces inside the key. If the field doesn’t accept all of it, ask whoever runs your name servers to split it: a string has at most 255 characters.';

/** Whether a DKIM record has a whole key (RFC 6376, RFC 8463). */
function hasKey(record: string): boolean {
  const key = Buffer.from(/(?:^|;)\s*p\s*=([^;]*)/i.exec(record)?.[1] ?? '', 'base64');
  if (/(?:^|;)\s*k\s*=\s*ed25519\b/i.test(record)) return key.length === 32;
  return (['spki', 'pkcs1'] as const).some((type) => {
    try {
      return createPublicKey({ key, format: 'der', type }).asymmetricKeyType === 'rsa';
    } catch {
      return false;
    }
  });
}

function describeNoAnswer(error: unknown): { found: string; advice: string } {
  const { code = 'ETIMEOUT' } = error as { code?: string };
  const found = `unknown: the name server gave no answer (${explainCodes(code)})`;
  return { found, advice: 'Check the connection of this machine, and try again in a few minutes.' };
}

/** Reads the TXT records of a name; empty if the name doesn't exist. */
async function readTexts(resolver: Resolver, name: string): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
