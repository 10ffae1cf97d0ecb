import {
  type Arbitrary,
  constant,
  constantFrom,
  emailAddress,
  jsonValue,
  nat,
  oneof,
  record,
  sample,
  string,
  tuple,
  uint8Array,
} from 'fast-check';
import { expect, test } from 'vitest';
import { makeConsentWordings } from '#content/consent/consent-wordings.ts';
import {
  CAMPAIGN_PARAMETERS,
  EMAIL_MAX_LENGTH,
  EMAIL_PATTERN,
  NEWSLETTER_PATH,
  SIGN_UP_FORMS,
} from '#shared/sign-up-rules.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { content } from '../test-content.ts';
import { startNewsletter } from '../newsletter/setup/running-newsletter.ts';

const REQUESTS = 100_000;
const AT_ONCE = 50;

test(
  'never responds to random sign-ups with 5xx, and never stores a row that breaks a rule',
  { timeout: 7_200_000 },
  async () => {
    const { url, store } = await startNewsletter({ TRUSTED_PROXY_HEADER: 'X-Client', MAIL_HOURLY_CAP: '1' });
    const statuses: Record<number, number> = {};
    const failures: string[] = [];
    const send = async (signUp: RandomSignUp) => {
      // The server may close a kept-alive connection just as a busy machine is about to use it.
      const headers = { ...signUp.headers, Connection: 'close' };
      const options = { ...signUp, headers, method: 'POST', redirect: 'manual' } as const;
      const { status } = await fetch(url + NEWSLETTER_PATH, options).catch(() => ({ status: 0 }));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500 || status === 0) failures.push(`${status} ${JSON.stringify(signUp)}`);
    };
    for (let seed = 1; seed <= REQUESTS; seed += AT_ONCE) {
      await Promise.all(sample(SIGN_UPS, { seed, numRuns: AT_ONCE }).map(send));
    }
    const rows = await readRows(store);
    process.stdout.write(`${REQUESTS} random sign-ups: ${rows.length} rows, responses ${JSON.stringify(statuses)}\n`);
    expect(failures).toEqual([]);
    expect(rows.map(findBrokenRule).filter(Boolean)).toEqual([]);
    for (const count of [rows.length, statuses[200], statuses[400]]) expect(count).toBeGreaterThan(50);
  },
);

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** Every person with each of their consent records, including people without any. */
function readRows({ db }: Store) {
  return db
    .selectFrom('subscribers')
    .leftJoin('consent_records', 'subscriber_id', 'subscribers.id')
    .select(['email', 'normalised_email', 'role', 'first_source', 'source', 'evidence'])
    .execute();
}

/** @returns the row, with the rule that it breaks */
function findBrokenRule(row: Row): string | undefined {
  const { email, role } = row;
  const rules = {
    'evidence of consent': row.evidence !== null,
    'an address': EMAIL_PATTERN.test(email) && Buffer.byteLength(email) <= EMAIL_MAX_LENGTH,
    // RFC 5322: characters that begin a list, a comment, a route or a second header.
    'an address that cannot change a header': !/[\p{Cc}\s<>()[\],;:\\"]/u.test(email),
    'a normalised address': row.normalised_email === row.normalised_email.toLowerCase(),
    'a role that is offered': ['', ...OPTIONAL_FIELDS.role.options].includes(role),
    'a source': [row.first_source, row.source].every(isSource),
  };
  const broken = Object.entries(rules).find(([, isKept]) => !isKept);
  return broken && `${broken[0]}: ${JSON.stringify(row)}`;
}

function isSource(source: string | null): boolean {
  const [form, campaign, ...rest] = source?.split(' | ') ?? [];
  const isCampaign =
    campaign === undefined || CAMPAIGN_PARAMETERS.some((parameter) => campaign.startsWith(`${parameter}=`));
  const isLine = source?.isWellFormed() && !/\p{Cc}/u.test(source);
  return SIGN_UP_FORMS.some((each) => each === form) && (isCampaign || rest.length > 0) && isLine === true;
}

/** A sign-up with random fields. */
type RandomSignUp = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

const WORDINGS = Object.values(makeConsentWordings(content.home)).map(({ version }) => version);
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const ANY_TEXT = string({ unit: 'binary', maxLength: 40 });

const EMAILS = oneof(
  emailAddress(),
  emailAddress().map((email) => email.toUpperCase()),
  tuple(ANY_TEXT, ANY_TEXT).map((parts) => parts.join('@')),
  tuple(string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), emailAddress()).map((parts) => parts.join('')),
  tuple(constantFrom('', ' ', '@', '\r\nBcc: ', ',', '"a b"', '%41', '/', '='), emailAddress()).map(
    ([text, email]) => email.replace('@', `${text}@`) + text,
  ),
);

const SOURCES = oneof(
  constantFrom(...SIGN_UP_FORMS),
  tuple(constantFrom(...SIGN_UP_FORMS), constantFrom(...CAMPAIGN_PARAMETERS), ANY_TEXT).map(
    ([form, parameter, value]) => `${form} | ${parameter}=${value}`,
  ),
  ANY_TEXT,
);

const ROLES = constantFrom('', ...OPTIONAL_FIELDS.role.options);

const LIKELY = record({ email: oneof(emailAddress(), EMAILS), name: constant(''), role: ROLES, source: SOURCES });

const UNLIKELY = record(
  {
    email: oneof({ weight: 9, arbitrary: EMAILS }, { weight: 1, arbitrary: jsonValue() }),
    name: oneof(constant(''), ANY_TEXT),
    role: oneof(ROLES, ANY_TEXT),
    source: SOURCES,
    consent: oneof(constantFrom(...WORDINGS, 'abcdef012345', ''), ANY_TEXT),
    website: oneof({ weight: 4, arbitrary: constant('') }, { weight: 1, arbitrary: ANY_TEXT }),
    [`__proto__`]: jsonValue(),
  },
  { requiredKeys: ['email', 'source'] },
);

const BODIES: Arbitrary<{ type: string; body: string | Uint8Array }> = oneof(
  LIKELY.map((fields) => ({ type: JSON_TYPE, body: JSON.stringify(fields) })),
  LIKELY.map((fields) => ({ type: FORM, body: toForm({ ...fields, consent: WORDINGS[0] }) })),
  UNLIKELY.map((fields) => ({ type: JSON_TYPE, body: JSON.stringify(fields) })),
  UNLIKELY.map((fields) => ({ type: 'text/plain;charset=UTF-8', body: JSON.stringify(fields) })),
  UNLIKELY.map((fields) => ({ type: FORM, body: toForm(fields) })),
  tuple(UNLIKELY, UNLIKELY).map((both) => ({ type: FORM, body: both.map(toForm).join('&') })),
  jsonValue().map((value) => ({ type: JSON_TYPE, body: JSON.stringify(value) })),
  record({ type: constantFrom(JSON_TYPE, FORM), body: ANY_TEXT }),
  nat(20_000).map((length) => ({ type: JSON_TYPE, body: `{"email":"${'x'.repeat(length)}"}` })),
  record({
    type: constantFrom(JSON_TYPE, 'text/plain', FORM, 'multipart/form-data', 'application/xml', ''),
    body: uint8Array({ maxLength: 300 }),
  }),
);

const CLIENTS = oneof(
  { weight: 20, arbitrary: nat(0xff_ff_ff).map((all) => `10.${all >> 16}.${(all >> 8) & 255}.${all & 255}`) },
  { weight: 1, arbitrary: string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim()) },
);

const SIGN_UPS: Arbitrary<RandomSignUp> = tuple(
  BODIES,
  record({ Accept: constantFrom('*/*', 'text/html', 'application/json'), 'X-Client': CLIENTS }),
).map(([{ type, body }, headers]) => ({
  headers: { ...headers, ...(type && { 'Content-Type': type }) },
  body: Buffer.from(body),
}));

function toForm(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(pairs).toString();
}
