import type { Environment } from '#settings/environment.ts';
import { formatCount } from '../format.ts';

/** How many emails an account with a known mail server may send in 24 hours, according to the provider. */
const ACCOUNT_LIMITS: { host: RegExp; perDay: number; note?: string }[] = [
  { host: /^smtp\.gmail\.com$/, perDay: 500, note: '2,000 with Google Workspace' },
  { host: /^smtp-relay\.gmail\.com$/, perDay: 10_000 },
  { host: /^smtp\.office365\.com$/, perDay: 10_000, note: 'and 30 a minute' },
  { host: /^smtp(-mail)?\.outlook\.com$/, perDay: 300 },
  { host: /^smtp\.mail\.yahoo\.com$/, perDay: 500 },
  { host: /^smtp\.mail\.me\.com$/, perDay: 1000 },
  { host: /^smtp\.zoho\.(com|eu)$/, perDay: 500 },
  { host: /^smtp\.fastmail\.com$/, perDay: 8000 },
  { host: /^smtpout\.secureserver\.net$/, perDay: 250 },
  { host: /^smtp-relay\.(brevo|sendinblue)\.com$/, perDay: 300, note: 'on the free plan' },
  { host: /^in(-v3)?\.mailjet\.com$/, perDay: 200, note: 'on the free plan' },
  { host: /^smtp\.(sendgrid\.net|resend\.com)$/, perDay: 100, note: 'on the free plan' },
];

/**
 * Says before sending how many emails the account allows, if its server is known.
 * @param total how many people would get the update
 * @returns undefined if it isn't known, or if the sending limits are within it
 */
export function describeAccountLimit(
  { SMTP_URL, MAIL_DAILY_CAP }: Pick<Environment, 'SMTP_URL' | 'MAIL_DAILY_CAP'>,
  total: number,
): string | undefined {
  const host = URL.parse(SMTP_URL ?? '')?.hostname ?? '';
  const limit = ACCOUNT_LIMITS.find((each) => each.host.test(host));
  if (limit === undefined || (MAIL_DAILY_CAP ?? Infinity) <= limit.perDay) return undefined;
  const note = limit.note === undefined ? '' : ` (${limit.note})`;
  const rest =
    total > limit.perDay
      ? ' The rest will get it on the following days, automatically.'
      : ' Emails that you send yourself count too.';
  return `${host} lets an account send about ${formatCount(limit.perDay)} emails a day${note}.${rest} You can set a daily limit under Settings on your desk (MAIL_DAILY_CAP).`;
}
