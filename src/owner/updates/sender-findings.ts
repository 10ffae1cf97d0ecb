import type { Resolver } from 'node:dns/promises';
import { explainCodes } from '#shared/explain-codes.ts';
import type { DeliveryFailure } from '#mail/queue/delivery-failure.ts';
import { tryLogin } from '#mail/queue/smtp-connection.ts';

/** One thing that mail servers look at, and what to do when it is not as it should be. */
export type Finding = { what: string; isFine: boolean; found: string; advice?: string };

/**
 * Whether mail servers will trust mails of this sender, and readers can unsubscribe.
 * @param sender.domain of the address that mails come from
 * @param sender.selector the DKIM selector that the mail provider names
 * @param sender.smtpUrl SMTP_URL
 * @param sender.siteUrl SITE_URL
 * @param sender.unsubscribeUrl a link to unsubscribe that is nobody's; opening one changes nothing
 */
export async function findSenderProblems(
  sender: {
    domain: string;
    selector: string | undefined;
    smtpUrl: string | undefined;
    siteUrl: string | undefined;
    unsubscribeUrl: string;
  },
  resolver: Resolver,
): Promise<Finding[]> {
  const { domain, selector, smtpUrl, siteUrl, unsubscribeUrl } = sender;
  const dkimName = selector === undefined ? '' : ` at ${selector}._domainkey.${domain}`;
  return [
    await toFinding(`SPF of ${domain}`, checkSpf(domain, resolver)),
    await toFinding(`DKIM${dkimName}`, checkDkim(domain, selector, resolver)),
    await toFinding(`DMARC of ${domain}`, checkDmarc(domain, resolver)),
    ...(smtpUrl === undefined
      ? [{ what: 'Mail server', ...wrong('SMTP_URL is not set', SET_SMTP) }]
      : [await toFinding(`TLS and login at ${new URL(smtpUrl).hostname}`, checkTls(smtpUrl))]),
    await toFinding('Unsubscribe page', checkUnsubscribePage(siteUrl, unsubscribeUrl)),
  ];
}

type Result = Omit<Finding, 'what'>;

const fine = (found: string): Result => ({ isFine: true, found });
const wrong = (found: string, advice: string): Result => ({ isFine: false, found, advice });

const SET_SMTP = 'Set SMTP_URL to the address that your mail provider gives you; until then emails are files.';

/** A name server that does not answer says nothing of the record. */
async function toFinding(what: string, result: Promise<Result>): Promise<Finding> {
  try {
    return { what, ...(await result) };
  } catch (error) {
    const { code = 'ETIMEOUT' } = error as { code?: string };
    const advice = 'Look at the connection of this machine, and try again in a few minutes.';
    return { what, ...wrong(`not known: the name server gave no answer (${explainCodes(code)})`, advice) };
  }
}

async function checkSpf(domain: string, resolver: Resolver): Promise<Result> {
  const [record, ...more] = (await readTexts(resolver, domain)).filter(isSpf);
  if (record === undefined) {
    return wrong(
      'no record',
      `Add the TXT record that your mail provider names to ${domain}, such as "v=spf1 include:… ~all".`,
    );
  }
  if (more.length > 0) {
    return wrong(
      `${more.length + 1} records`,
      'Put what they say into one record: with two, mail servers follow neither (RFC 7208, section 4.5).',
    );
  }
  if (!/[~-]all\b|\bredirect=/i.test(record)) {
    return wrong(record, 'End it with ~all or -all, or it lets everybody send in your name.');
  }
  const lookUps = await countLookUps(record, resolver);
  return lookUps > MAX_LOOK_UPS
    ? wrong(
        `${lookUps} look-ups or more`,
        `Mail servers refuse a record that needs more than ${MAX_LOOK_UPS} (RFC 7208, section 4.6.4): take out an include that you no longer use.`,
      )
    : fine(record);
}

const MAX_LOOK_UPS = 10;

/** Each of these terms costs one, and so do those of the records that it names; counting ends past the limit. */
async function countLookUps(record: string, resolver: Resolver, before = 0): Promise<number> {
  let count = before;
  for (const term of record.split(/\s+/)) {
    const [, name, target] = /^[+?~-]?(?:(include|a|mx|ptr|exists)(?=[:/]|$)|redirect=)(?::?(\S*))/i.exec(term) ?? [];
    if (target === undefined || count > MAX_LOOK_UPS) continue;
    count += 1;
    // A macro depends on the mail.
    if ((name !== undefined && name.toLowerCase() !== 'include') || target.includes('%')) continue;
    const named = (await readTexts(resolver, target)).find(isSpf);
    if (named !== undefined) count = await countLookUps(named, resolver, count);
  }
  return count;
}

function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

async function checkDkim(domain: string, selector: string | undefined, resolver: Resolver): Promise<Result> {
  if (selector === undefined) {
    return wrong(
      'not looked up: no selector was given',
      'Ask your mail provider for its selector, and check again with it: on the desk, or with --selector NAME.',
    );
  }
  const texts = await readTexts(resolver, `${selector}._domainkey.${domain}`);
  const record = texts.find((text) => /(^|;)\s*p=/.test(text));
  if (record === undefined) {
    return wrong('no key', 'Add the record that your mail provider names for this selector.');
  }
  return /(^|;)\s*p=\s*(;|$)/.test(record)
    ? wrong('the key is withdrawn (p= is empty)', 'Ask your mail provider for a new selector.')
    : fine('a key');
}

async function checkDmarc(domain: string, resolver: Resolver): Promise<Result> {
  const name = `_dmarc.${domain}`;
  const record = (await readTexts(resolver, name)).find((text) => /^v=DMARC1\s*;/i.test(text));
  if (record === undefined) {
    return wrong(
      'no record',
      `Add a TXT record ${name}: "v=DMARC1; p=none". Gmail and Yahoo ask for one where many people are emailed.`,
    );
  }
  return record.split(';').some((tag) => /^\s*p=(none|quarantine|reject)\b/i.test(tag))
    ? fine(record)
    : wrong(record, 'Say what is to be done with forgeries: p=none, quarantine or reject.');
}

async function checkTls(smtpUrl: string): Promise<Result> {
  const url = new URL(smtpUrl);
  url.searchParams.set('requireTLS', 'true');
  try {
    await tryLogin(url.href, 10_000);
    return fine('the connection is encrypted, the login is accepted');
  } catch (error) {
    return wrong(
      (error as DeliveryFailure).message,
      'Check SMTP_URL: the user name, the password, the host and the port (smtps:// for port 465, smtp:// for port 587).',
    );
  }
}

async function checkUnsubscribePage(siteUrl: string | undefined, unsubscribeUrl: string): Promise<Result> {
  if (siteUrl === undefined)
    return wrong('SITE_URL is not set', 'Set it to the public address: links in emails begin with it.');
  const advice =
    'Start the server with the same SITE_URL and the same signing secret, and see that its proxy lets /newsletter/ through.';
  try {
    const { status } = await fetch(unsubscribeUrl, { signal: AbortSignal.timeout(10_000) });
    return status === 200 ? fine('it opens') : wrong(`it answers ${status}`, advice);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return wrong(`no answer (${explainCodes(cause?.code ?? 'ETIMEDOUT')})`, advice);
  }
}

/** @throws when the name server gives no answer */
async function readTexts(resolver: Resolver, name: string): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
