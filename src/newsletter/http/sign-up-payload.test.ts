import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAMPAIGN_PARAMETERS, EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '#shared/sign-up-rules.ts';
import { readFormSignUp, readJsonSignUp } from './sign-up-payload.ts';

const WORDINGS = { Founder: '0123456789ab', Footer: 'ba9876543210' };
const PAYLOAD = { email: 'anna@example.org', name: '', role: '', source: 'Footer' };

const INVALID = 'Please enter a valid email address.';

const asJson = (fields: object) => readJsonSignUp(JSON.stringify({ ...PAYLOAD, ...fields }), WORDINGS);
const asForm = (fields: Record<string, string>) =>
  readFormSignUp(new URLSearchParams({ ...PAYLOAD, consent: WORDINGS.Footer, ...fields }).toString(), '');

describe.each([
  ['JSON', asJson],
  ['a form', asForm],
])('in %s', (_, read) => {
  test.each<[string, Record<string, string>, string, string?]>([
    ['a field that none of our forms has', { admin: 'yes' }, 'admin'],
    ['a name, which no form asks for', { name: 'Anna' }, 'name'],
    ['a role that isn’t offered', { role: 'Chef' }, 'role'],
    ['a source that isn’t a form', { source: 'Elsewhere' }, 'source'],
    ['an address with more after its domain', { email: 'anna@example.org/x.y' }, 'email', INVALID],
    ['two addresses in one', { email: 'anna,ben@example.org' }, 'email', INVALID],
  ])('names the field when it rejects %s', (__, fields, field, text) => {
    expect(read(fields)).toMatchObject({ outcome: 'rejected', rejection: { field, ...(text && { text }) } });
  });

  test('drops a sign-up with a filled-in decoy silently', () => {
    expect(read({ website: 'https://spam.example' })).toMatchObject({ outcome: 'decoy' });
  });

  test('accepts an ordinary sign-up', () => {
    expect(read({ role: 'Other', source: 'Footer | utm_source="a", \\ b' })).toMatchObject({
      outcome: 'checked',
      signUp: { email: 'anna@example.org', role: 'Other', form: 'Footer', source: 'Footer | utm_source="a", \\ b' },
    });
  });
});

test('accepts JSON without an optional field, as an older page sends it', () => {
  expect(readJsonSignUp('{"email":"anna@example.org","source":"Footer"}', WORDINGS)).toMatchObject({
    outcome: 'checked',
    signUp: { email: 'anna@example.org', role: '' },
  });
});

test.each([
  ['JSON that names the wording', asJson({ consent: WORDINGS.Footer }), 'ticked box'],
  ['JSON without consent', asJson({}), 'vouched for by the sender'],
  ['a form', asForm({}), 'ticked box'],
])('records what kind of evidence %s is', (_, read, evidence) => {
  expect(read).toMatchObject({ signUp: { evidence, wordingVersion: WORDINGS.Footer } });
});

test('records no wording for a form on another site that doesn’t send one', () => {
  expect(readJsonSignUp(JSON.stringify(PAYLOAD), undefined)).toMatchObject({
    signUp: { evidence: 'vouched for by the sender', wordingVersion: null },
  });
});

test.each([
  ['a form', readFormSignUp('email=eve%40example.org&email=anna%40example.org&source=Footer&consent=0', '')],
  ['JSON', readJsonSignUp('{"email":"eve@example.org","em\\u0061il":"anna@example.org","source":"Footer"}', WORDINGS)],
])('rejects %s with a repeated field', (_, read) => {
  expect(read).toMatchObject({ outcome: 'rejected', rejection: { field: 'body', text: 'expected each field once' } });
});

test.each([
  ['email=anna%FF%40example.org&source=Footer', 'body'],
  ['email=anna%4&source=Footer', 'email'],
])('rejects a form with bytes that aren’t UTF-8 (%s)', (text, field) => {
  expect(readFormSignUp(text, '')).toMatchObject({ outcome: 'rejected', rejection: { field } });
});

test('asks for consent if the box isn’t ticked, and keeps what was typed', () => {
  expect(readFormSignUp('email=anna%40example.org&role=Other&source=Founder&website=', '')).toMatchObject({
    outcome: 'rejected',
    rejection: { field: 'consent' },
    entry: { form: 'Founder', email: 'anna@example.org', role: 'Other', consent: false },
  });
});

test.each([
  ['Footer', '?utm_source=news', 'Footer | utm_source=news'],
  ['Founder | utm_source=news', '', 'Founder | utm_source=news'],
  ['Founder <script>', '?utm_source=news', 'Founder'],
])('sends a rejected form from %s%s back with the source %s', (source, search, returned) => {
  const text = new URLSearchParams({ email: 'anna@nowhere', source }).toString();
  expect(readFormSignUp(text, search)).toMatchObject({ outcome: 'rejected', entry: { source: returned } });
});

/** Ordinary addresses, and addresses with characters that begin a list, a route or a second header (RFC 5322). */
const EMAILS = fc.oneof(
  fc.emailAddress(),
  fc
    .tuple(fc.emailAddress(), fc.constantFrom(' ', '@', '\r\nBcc: ', ',', '"a b"', '%41', '/', '='))
    .map(([email, text]) => email.replace('@', `${text}@`) + text),
  fc.string({ unit: 'binary' }),
);
const SOURCES = fc.oneof(
  fc.constantFrom('Footer', 'Founder'),
  fc
    .tuple(fc.constantFrom(...CAMPAIGN_PARAMETERS), fc.string({ unit: 'binary' }))
    .map((pair) => `Footer | ${pair.join('=')}`),
  fc.string({ unit: 'binary' }),
);

test('accepts only an email address and a source that are safe in headers, whatever is sent', () => {
  const any = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
  const fields = fc.record(
    { email: EMAILS, source: SOURCES, role: fc.constantFrom('', 'Other'), extra: any },
    { requiredKeys: ['email', 'source'] },
  );
  fc.assert(
    fc.property(fc.oneof(fields, any), (body) => {
      const form = new URLSearchParams(
        Object.entries(Object(body)).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );
      for (const read of [readJsonSignUp(JSON.stringify(body), WORDINGS), readFormSignUp(`${form}&consent=0`, '')]) {
        if (read.outcome !== 'checked') continue;
        const { email, normalisedEmail, source } = read.signUp;
        expect(EMAIL_PATTERN.test(email) && Buffer.byteLength(email) <= EMAIL_MAX_LENGTH).toBe(true);
        expect(email).not.toMatch(/[\p{Cc}\s<>()[\],;:\\"]/u);
        expect(normalisedEmail).toBe(normalisedEmail.toLowerCase());
        expect(source).toMatch(/^(Footer|Founder)( \| \P{Cc}+)?$/u);
      }
    }),
    // The same on each run.
    { seed: 1, numRuns: 500 },
  );
});
