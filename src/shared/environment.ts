import { z } from 'zod';

/** One or more environment variables that hold something else than what was expected. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

/**
 * The environment, parsed once at boot.
 * @param variables `process.env`; a variable that is set to nothing counts as not set
 * @throws {EnvironmentError} naming each wrong variable and what was expected of it, never its value
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  throw new EnvironmentError(
    result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}

const schema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('localhost'),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'an address that begins with postgres://').optional(),
  SITE_URL: z.string().transform(toOrigin).optional(),
  ALLOWED_ORIGINS: z
    .string()
    .transform((value, context) => value.split(',').map((part) => toOrigin(part.trim(), context)))
    .default([]),
  RECEIVER_OF: z.string().transform(toOrigin).optional(),
  TRUSTED_PROXY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'expected the name of one header, such as X-Forwarded-For')
    .toLowerCase()
    .optional(),
  SMTP_URL: address(['smtp:', 'smtps:'], 'an address that begins with smtp:// or smtps://').optional(),
  NOTIFY_TO: z.email('expected one e-mail address').optional(),
  SUMMARY: z
    .enum(['on', 'off'], 'expected on or off')
    .transform((value) => value === 'on')
    .default(true),
  COUNT_VISITS: z
    .enum(['true', 'false'], 'expected true or false')
    .transform((value) => value === 'true')
    .default(true),
  SHEET_URL: z.string().refine(isSafeTarget, 'expected an address that begins with https://').optional(),
  MAIL_HOURLY_CAP: wholeNumber(1, 1_000_000).default(200),
  MAIL_CONCURRENCY: wholeNumber(1, 20).default(2),
  BOUNCE_MAILBOX: z
    .string()
    .refine(isBounceMailbox, 'expected an address such as imaps://user:password@imap.example.org/INBOX')
    .optional(),
  DOUBLE_OPT_IN: z
    .enum(['true', 'false'], 'expected true or false')
    .transform((value) => value === 'true')
    .default(false),
  NEWSLETTER_ENDPOINT: z.string().refine(isSafeTarget, 'expected an address that begins with https://').optional(),
  SIGNING_SECRET: z.string().min(32, 'expected at least 32 random characters').optional(),
});

/** The name of every variable. */
export const VARIABLES: string[] = Object.keys(schema.shape);

/** What the site and its receiver are told from outside; the README's table says what each one means. */
export type Environment = z.infer<typeof schema>;

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `expected a whole number from ${least} to ${most}`);
}

function address(protocols: string[], expected: string) {
  return z.string().refine((value) => protocols.includes(toUrl(value)?.protocol ?? ''), `expected ${expected}`);
}

function toOrigin(value: string, context: z.RefinementCtx): string {
  const url = toUrl(value);
  if (url && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin) return url.origin;
  context.addIssue('expected an origin without a path, such as https://www.example.org');
  return z.NEVER;
}

/** Personal data leaves in the clear to nobody but this machine itself. */
function isSafeTarget(value: string): boolean {
  const url = toUrl(value);
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url?.protocol === 'https:' || (isLocal && url.protocol === 'http:');
}

/** A password leaves in the clear to nobody but this machine itself. */
function isBounceMailbox(value: string): boolean {
  const url = toUrl(value);
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isSafe = url?.protocol === 'imaps:' || (isLocal && url.protocol === 'imap:');
  return isSafe && url?.username !== '' && url?.password !== '';
}

function toUrl(value: string): URL | undefined {
  return URL.parse(value) ?? undefined;
}
