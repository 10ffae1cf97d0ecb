import { z } from 'zod';
import { emailField, toAsciiDomain } from '#shared/owner-email.ts';

/** Thrown if one or more environment variables are invalid. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

/**
 * Parses the environment, once at startup.
 * @param variables `process.env`; an empty variable counts as unset
 * @throws {EnvironmentError} naming each invalid variable and what was expected, but never its value
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const result = schema.safeParse(set);
  if (result.success) return { ...result.data, given: Object.keys(set) };
  throw new EnvironmentError(
    result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}

const onOrOff = (on: string, off: string) =>
  z.enum([on, off], `expected ${on} or ${off}`).transform((value) => value === on);

/** Each setting with one line on its meaning; `whenUnset` says what applies if it isn't set. */
const schema = z.object({
  SITE_URL: z.string().transform(toOrigin).optional().meta({
    description: 'the public URL, such as https://www.example.org (needs a rebuild)',
    whenUnset: 'search engines are asked not to list the site',
  }),
  HSTS_SUBDOMAINS: onOrOff('true', 'false').prefault('false').meta({
    description: 'true tells browsers to use TLS for all subdomains too (needs a rebuild)',
  }),
  PORT: wholeNumber(0, 65_535).prefault('3000').meta({ description: 'the port on which the server listens' }),
  HOST: z
    .string()
    .prefault('localhost')
    .meta({ description: 'the address on which the server listens; 0.0.0.0 for every interface' }),
  DATA_DIR: folder()
    .prefault('data')
    .meta({ description: 'the folder of the database, the signing secret and the outbox' }),
  PRIVATE_DIR: folder()
    .prefault('private')
    .meta({ description: 'the folder of backups and exported lists; Git and Docker ignore private/' }),
  DATABASE_URL: urlLike(({ protocol }) => /^postgres(ql)?:$/.test(protocol), 'an address that begins with postgres://')
    .optional()
    .meta({ description: 'PostgreSQL, such as postgres://user:password@host/name', whenUnset: 'SQLite in DATA_DIR' }),
  SIGNING_SECRET: z
    .string()
    .min(
      32,
      'expected at least 32 characters: the secret with which your list was created, or random ones for a new list',
    )
    .optional()
    .meta({
      description: 'signs links in emails; set it if several servers share a database',
      whenUnset: 'generated once, in DATA_DIR',
    }),
  SMTP_URL: urlLike(isMailServer, 'an address such as smtps://user:password@mail.example.org')
    .refine(
      (value) => !usesPort(value, 'smtp:', '465'),
      'expected smtps:// with port 465, which uses TLS from the start',
    )
    .refine(
      (value) => !usesPort(value, 'smtps:', '587'),
      'expected smtp:// with port 587, which switches to TLS itself (STARTTLS)',
    )
    .optional()
    .meta({
      description: 'the mail server, such as smtps://user:password@mail.example.org; needs SITE_URL',
      whenUnset: 'emails are files in DATA_DIR/outbox',
    }),
  NOTIFY_TO: emailField('expected one email address').optional().meta({
    description: 'your email address, for a note about each sign-up, alerts and the weekly email',
    whenUnset: 'no email',
  }),
  SUMMARY: onOrOff('on', 'off').prefault('on').meta({ description: 'off stops the weekly email on Mondays' }),
  BOUNCE_MAILBOX: urlLike(isBounceMailbox, 'an address such as imaps://user:password@imap.example.org/INBOX')
    .optional()
    .meta({
      description: 'the mailbox for bounces, such as imaps://user:password@host/INBOX',
      whenUnset: 'not read',
    }),
  MAIL_HOURLY_CAP: wholeNumber(1, 1_000_000).prefault('200').meta({ description: 'emails an hour; any more wait' }),
  MAIL_DAILY_CAP: wholeNumber(1, 10_000_000).optional().meta({
    description: 'emails in 24 hours; any more wait',
    whenUnset: 'no daily limit',
  }),
  MAIL_CONCURRENCY: wholeNumber(1, 20).prefault('2').meta({ description: 'connections to the mail server' }),
  DOUBLE_OPT_IN: onOrOff('true', 'false')
    .prefault('false')
    .meta({ description: 'true asks people to confirm their email address before they join' }),
  SHEET_URL: scriptUrl()
    .optional()
    .meta({ description: 'a spreadsheet script that gets each sign-up, ending with ?secret=…', whenUnset: 'no sheet' }),
  TRUSTED_PROXY_HEADER: z
    .string()
    .regex(
      /^(?!forwarded$)[a-z0-9-]+$/i,
      'expected the name of one header whose value ends with the visitor’s IP address, such as X-Forwarded-For',
    )
    .toLowerCase()
    .optional()
    .meta({
      description:
        "the header in which your proxy sends the visitor's IP address: X-Forwarded-For, or CF-Connecting-IP behind Cloudflare",
      whenUnset: 'no proxy',
    }),
  ALLOWED_ORIGINS: z
    .string()
    .transform((value, context) => value.split(',').map((part) => toOrigin(part.trim(), context)))
    .default([])
    .meta({ description: 'other sites that may post sign-ups here, separated by commas', whenUnset: 'none' }),
  NEWSLETTER_ENDPOINT: scriptUrl()
    .refine(
      (value) => !value.includes('secret='),
      'expected an address without ?secret=…, since every page contains it',
    )
    .optional()
    .meta({
      description: 'where to send sign-ups instead of this server, such as a spreadsheet script (needs a rebuild)',
      whenUnset: 'this server',
    }),
  RECEIVER_OF: z.string().transform(toOrigin).optional().meta({
    description: 'on a host that only receives sign-ups: the URL of the site',
    whenUnset: 'this server serves the site',
  }),
  DOMAIN: z
    .string()
    .refine(
      (value) => toAsciiDomain(value) !== undefined && !value.startsWith('www.'),
      'expected a domain without https:// and www., such as example.org',
    )
    .optional()
    .meta({ description: 'with Docker: the domain without www', whenUnset: 'only Docker needs it' }),
  POSTGRES_PASSWORD: z
    .string()
    .regex(/^[A-Za-z0-9]+$/, 'expected only letters and digits')
    .optional()
    .meta({
      description: 'with Docker: a password for the database, letters and digits',
      whenUnset: 'only Docker needs it',
    }),
});

/** The name of every variable. */
export const VARIABLES: string[] = Object.keys(schema.shape);

/** The settings of the site and its server; docs/settings.md explains each. */
export type Environment = z.infer<typeof schema> & {
  /** The names of the variables that are set; the others have their default. */
  given: string[];
};

/** The settings that the owner can change on the desk. An environment variable takes precedence. */
export const OWNER_SETTINGS = [
  'SMTP_URL',
  'NOTIFY_TO',
  'SUMMARY',
  'BOUNCE_MAILBOX',
  'MAIL_HOURLY_CAP',
  'MAIL_DAILY_CAP',
  'DOUBLE_OPT_IN',
  'SHEET_URL',
] as const satisfies (keyof Environment)[];
export type OwnerSetting = (typeof OWNER_SETTINGS)[number];

/** The owner's settings, written as in .env; a missing one has its default. */
export type OwnerValues = Partial<Record<OwnerSetting, string>>;

/** @returns what is wrong with a value that the owner typed; undefined if nothing is */
export function findSettingProblem(name: OwnerSetting, value: string): string | undefined {
  return schema.shape[name].safeParse(value).error?.issues[0]!.message;
}

/** Adds the owner's settings to the environment. Values that have become invalid count as unset. */
export function mergeOwnerValues(env: Environment, values: OwnerValues): Environment {
  const open = OWNER_SETTINGS.filter((name) => !env.given.includes(name));
  const merged = open.map((name) => {
    const field = schema.shape[name];
    const parsed = field.safeParse(values[name]);
    return [name, parsed.success ? parsed.data : field.parse(undefined)];
  });
  return { ...env, ...(Object.fromEntries(merged) as Partial<Environment>) };
}

/**
 * A setting as the docs show it: its name, one line on its meaning, and its default or what applies when it is unset.
 */
export type Setting = { name: string; meaning: string; defaultValue: string | undefined; whenUnset: string };

/** Every setting, in the order in which they are documented. */
export function listSettings(): Setting[] {
  return Object.entries(schema.shape).map(([name, each]) => {
    const { description = '', whenUnset = '' } = each.meta() as { description?: string; whenUnset?: string };
    const { defaultValue } = each.def as { defaultValue?: unknown };
    return {
      name,
      meaning: description,
      defaultValue: typeof defaultValue === 'string' ? defaultValue : undefined,
      whenUnset,
    };
  });
}

/**
 * Links in emails begin with SITE_URL, so emails that leave this machine need a SITE_URL that people can open.
 * @throws {EnvironmentError} if emails would contain links to localhost
 */
export function rejectLocalLinks({ SMTP_URL, SITE_URL }: Pick<Environment, 'SMTP_URL' | 'SITE_URL'>): void {
  if (SMTP_URL === undefined) return;
  const isPublic = SITE_URL !== undefined && (isLocal(new URL(SMTP_URL)) || !isPrivate(new URL(SITE_URL)));
  if (isPublic) return;
  throw new EnvironmentError(
    'SITE_URL: expected the public URL, such as https://www.example.org, since SMTP_URL is set and links in emails begin with it',
  );
}

/** A shell would replace ~ with the home folder, but no shell reads .env. */
function folder() {
  return z.string().regex(/^[^~]/, 'expected the full path of a folder, such as /var/lib/site, without ~');
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`);
}

/** @param isExpected called once the login is known to be encoded */
function urlLike(isExpected: (url: URL) => boolean, expected: string) {
  return z.string().superRefine((value, context) => {
    const url = URL.parse(value);
    if (hasUnencodedLogin(value)) context.addIssue(ENCODE_LOGIN);
    else if (url === null || !isExpected(url)) context.addIssue(`expected ${expected}`);
  });
}

function isMailServer({ protocol, hostname }: URL): boolean {
  return /^smtps?:$/.test(protocol) && hostname !== '';
}

function usesPort(value: string, protocol: string, port: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === protocol && url.port === port;
}

/** The message for a login with unencoded characters that would end it, or the whole URL (RFC 3986, section 3.2.1). */
const ENCODE_LOGIN =
  'expected a user name and a password without #, /, ?, @ and %. Write them encoded: # as %23, / as %2F, ? as %3F, @ as %40, % as %25';

function hasUnencodedLogin(value: string): boolean {
  const afterScheme = value.slice(value.indexOf('//') + 2);
  const login = afterScheme.slice(0, Math.max(afterScheme.lastIndexOf('@'), 0));
  return /[#/?@]|%(?![0-9a-f]{2})/i.test(login);
}

function scriptUrl() {
  return z
    .string()
    .refine(isSafeTarget, 'expected an address that begins with https://')
    .refine(
      (value) => !/^https:\/\/(docs|script)\.google\.com\/(?!.*\/exec(\?.*)?$)/.test(value),
      'expected https://script.google.com/macros/s/…/exec, the web app URL that the sheet’s script shows under Deploy, Manage deployments',
    );
}

function toOrigin(value: string, context: z.RefinementCtx): string {
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && /^[\w.:[\]-]+$/.test(url.host)) {
    return url.origin;
  }
  context.addIssue('expected https:// and the domain, with nothing after it, such as https://www.example.org');
  return z.NEVER;
}

/** Personal data may be sent unencrypted only to this machine. */
function isSafeTarget(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal(url));
}

/** Passwords, too, may be sent unencrypted only to this machine. */
function isBounceMailbox(url: URL): boolean {
  const isSafe = url.protocol === 'imaps:' || (url.protocol === 'imap:' && isLocal(url));
  return isSafe && url.username !== '' && url.password !== '';
}

/** Whether only this machine or its own network can resolve a URL's host (RFC 6762). */
export function isPrivate(url: URL): boolean {
  return isLocal(url) || url.hostname.endsWith('.local');
}

function isLocal({ hostname }: URL): boolean {
  return /^(.+\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::(1|ffff:7f[\da-f]{2}:[\da-f]+)?\]$/.test(hostname);
}
