import type { Resolver } from 'node:dns/promises';
import { createTransport } from 'nodemailer';
import { explainCodes } from '#shared/explain-codes.ts';

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
  return [
    await answered(`SPF of ${domain}`, (what) => spf(what, domain, resolver)),
    await answered(`DKIM${selector === undefined ? '' : ` at ${selector}._domainkey.${domain}`}`, (what) =>
      dkim(what, domain, selector, resolver),
    ),
    await answered(`DMARC of ${domain}`, (what) => dmarc(what, domain, resolver)),
    ...(smtpUrl === undefined
      ? [{ what: 'Mail server', isFine: false, found: 'SMTP_URL is not set', advice: SET_SMTP }]
      : [
          await answered(`Reverse name of ${new URL(smtpUrl).hostname}`, (what) =>
            reverseName(what, new URL(smtpUrl).hostname, resolver),
          ),
          await tls(smtpUrl),
        ]),
    site(siteUrl),
    await unsubscribePage(siteUrl, unsubscribeUrl),
  ];
}

const SET_SMTP = 'Set SMTP_URL to the address that your mail provider gives you; until then mails are files.';

/** A name server that does not answer says nothing of the record. */
async function answered(what: string, find: (what: string) => Promise<Finding>): Promise<Finding> {
  try {
    return await find(what);
  } catch (error) {
    const { code = 'ETIMEOUT' } = error as { code?: string };
    const advice = 'Look at the connection of this machine, and try again in a few minutes.';
    return { what, isFine: false, found: `not known: the name server gave no answer (${explainCodes(code)})`, advice };
  }
}

async function spf(what: string, domain: string, resolver: Resolver): Promise<Finding> {
  const records = (await texts(resolver, domain)).filter(isSpf);
  const [record, ...more] = records;
  if (record === undefined) {
    const advice = `Add the TXT record that your mail provider names to ${domain}, such as "v=spf1 include:… ~all".`;
    return { what, isFine: false, found: 'no record', advice };
  }
  if (more.length > 0) {
    const advice = 'Put what they say into one record: with two, mail servers follow neither (RFC 7208, section 4.5).';
    return { what, isFine: false, found: `${records.length} records`, advice };
  }
  if (!/[~-]all\b|\bredirect=/i.test(record)) {
    const advice = 'End it with ~all or -all, or it lets everybody send in your name.';
    return { what, isFine: false, found: record, advice };
  }
  const lookUps = await countLookUps(record, resolver);
  if (lookUps > MAX_LOOK_UPS) {
    const advice = `Mail servers refuse a record that needs more than ${MAX_LOOK_UPS} (RFC 7208, section 4.6.4): take out an include that you no longer use.`;
    return { what, isFine: false, found: `${lookUps} look-ups or more`, advice };
  }
  return { what, isFine: true, found: record };
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
    const named = (await texts(resolver, target)).find(isSpf);
    if (named !== undefined) count = await countLookUps(named, resolver, count);
  }
  return count;
}

function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

async function dkim(what: string, domain: string, selector: string | undefined, resolver: Resolver): Promise<Finding> {
  if (selector === undefined) {
    const advice = 'Ask your mail provider for its selector, and call this command with --selector NAME.';
    return { what, isFine: false, found: 'not looked up: no selector was given', advice };
  }
  const name = `${selector}._domainkey.${domain}`;
  const record = (await texts(resolver, name)).find((text) => /(^|;)\s*p=/.test(text));
  if (record === undefined) {
    return {
      what,
      isFine: false,
      found: 'no key',
      advice: 'Add the record that your mail provider names for this selector.',
    };
  }
  if (/(^|;)\s*p=\s*(;|$)/.test(record)) {
    return {
      what,
      isFine: false,
      found: 'the key is withdrawn (p= is empty)',
      advice: 'Ask your mail provider for a new selector.',
    };
  }
  return { what, isFine: true, found: 'a key' };
}

async function dmarc(what: string, domain: string, resolver: Resolver): Promise<Finding> {
  const name = `_dmarc.${domain}`;
  const record = (await texts(resolver, name)).find((text) => /^v=DMARC1\s*;/i.test(text));
  if (record === undefined) {
    const advice = `Add a TXT record ${name}: "v=DMARC1; p=none". Gmail and Yahoo ask for one from who mails many.`;
    return { what, isFine: false, found: 'no record', advice };
  }
  const policy = /;\s*p=(none|quarantine|reject)\b/i.exec(record)?.[1];
  if (policy === undefined) {
    return {
      what,
      isFine: false,
      found: record,
      advice: 'Say what is to be done with forgeries: p=none, quarantine or reject.',
    };
  }
  return { what, isFine: true, found: record };
}

async function reverseName(what: string, host: string, resolver: Resolver): Promise<Finding> {
  const advice = 'Ask whoever runs the mail server to give its address a name that leads back to it.';
  const [address] = /^[\d.]+$/.test(host) ? [host] : await orNothing(resolver.resolve4(host));
  if (address === undefined)
    return { what, isFine: false, found: 'the host has no address', advice: 'Check SMTP_URL.' };
  for (const name of await orNothing(resolver.reverse(address))) {
    const back = await orNothing(resolver.resolve4(name));
    if (back.includes(address)) return { what, isFine: true, found: name };
  }
  return { what, isFine: false, found: `${address} has no name that leads back to it`, advice };
}

async function tls(smtpUrl: string): Promise<Finding> {
  const url = new URL(smtpUrl);
  const what = `TLS and login at ${url.hostname}`;
  url.searchParams.set('requireTLS', 'true');
  const transport = createTransport({ url: url.href, connectionTimeout: 10_000, greetingTimeout: 10_000 });
  try {
    await transport.verify();
    return { what, isFine: true, found: 'the connection is encrypted, the login is accepted' };
  } catch (error) {
    const { code = 'no answer', response } = error as { code?: string; response?: string };
    const advice =
      code === 'EAUTH'
        ? 'Check the user name and the password in SMTP_URL.'
        : 'Check the host and the port in SMTP_URL: smtps:// for port 465, smtp:// for port 587.';
    return { what, isFine: false, found: response ?? explainCodes(code), advice };
  } finally {
    transport.close();
  }
}

function site(siteUrl: string | undefined): Finding {
  const advice = 'Set SITE_URL to the public address, such as https://www.example.org: links in mails begin with it.';
  if (siteUrl === undefined) return { what: 'SITE_URL', isFine: false, found: 'not set', advice };
  return siteUrl.startsWith('https://')
    ? { what: 'SITE_URL', isFine: true, found: siteUrl }
    : { what: 'SITE_URL', isFine: false, found: siteUrl, advice };
}

async function unsubscribePage(siteUrl: string | undefined, unsubscribeUrl: string): Promise<Finding> {
  const what = 'Unsubscribe page';
  if (siteUrl === undefined) return { what, isFine: false, found: 'not looked at', advice: 'Set SITE_URL first.' };
  const advice =
    'Start the server with the same SITE_URL and the same signing secret, and see that its proxy lets /newsletter/ through.';
  try {
    const answer = await fetch(unsubscribeUrl, { signal: AbortSignal.timeout(10_000) });
    return answer.status === 200
      ? { what, isFine: true, found: 'it opens' }
      : { what, isFine: false, found: `it answers ${answer.status}`, advice };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return { what, isFine: false, found: `no answer (${explainCodes(cause?.code ?? 'ETIMEDOUT')})`, advice };
  }
}

async function texts(resolver: Resolver, name: string): Promise<string[]> {
  return (await orNothing(resolver.resolveTxt(name))).map((parts) => parts.join(''));
}

/** @throws when the name server gives no answer */
async function orNothing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
