import {
  type Arbitrary,
  constant,
  constantFrom,
  emailAddress,
  jsonValue,
  oneof,
  record,
  sample,
  string,
  tuple,
  uint8Array,
  nat,
} from 'fast-check';
import { CAMPAIGN_PARAMETERS, SIGN_UP_FORMS } from '#shared/newsletter.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';

/** A sign-up as anybody might send it. */
export type RandomSignUp = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/**
 * @param seed the same seed gives the same requests
 * @param wordings versions of consent wordings that were shown
 */
export function makeRandomSignUps(seed: number, count: number, wordings: string[]): RandomSignUp[] {
  return sample(signUps(wordings), { seed, numRuns: count });
}

const anyText = string({ unit: 'binary', maxLength: 40 });

const EMAILS = oneof(
  emailAddress(),
  emailAddress().map((address) => address.toUpperCase()),
  tuple(anyText, anyText).map((parts) => parts.join('@')),
  tuple(string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), emailAddress()).map(
    ([text, address]) => text + address,
  ),
  constantFrom(
    '',
    ' ',
    '@',
    'a@b',
    ' anna@example.org ',
    'anna@example.org\r\nBcc: ben@example.org',
    'anna@example.org,ben@example.org',
    '"anna ben"@example.org',
    'anna@[127.0.0.1]',
    'anna@0x7f.1',
    'anna@example..org',
    'jörg@münchen.example',
    'bob@example.org/evil.x',
    'bob@ex%41mple.org',
    '=cmd@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(64)}.org`,
    `a@${'b.'.repeat(130)}org`,
  ),
);

const SOURCES = oneof(
  constantFrom(...SIGN_UP_FORMS),
  tuple(constantFrom(...SIGN_UP_FORMS), constantFrom(...CAMPAIGN_PARAMETERS), anyText).map(
    ([form, parameter, value]) => `${form} | ${parameter}=${value}`,
  ),
  anyText,
);

function payloads(wordings: string[]): Arbitrary<Record<string, unknown>> {
  return record(
    {
      email: oneof({ weight: 9, arbitrary: EMAILS }, { weight: 1, arbitrary: jsonValue() }),
      name: oneof(constant(''), anyText),
      role: oneof(constantFrom('', ...OPTIONAL_FIELDS.role.options), anyText),
      source: SOURCES,
      consent: oneof(constantFrom(...wordings, 'abcdef012345', ''), anyText),
      website: oneof({ weight: 4, arbitrary: constant('') }, { weight: 1, arbitrary: anyText }),
      [`__proto__`]: jsonValue(),
    },
    { requiredKeys: ['email', 'source'] },
  );
}

function signUps(wordings: string[]): Arbitrary<RandomSignUp> {
  const payload = payloads(wordings);
  const likely = record({
    email: oneof(emailAddress(), EMAILS),
    name: constant(''),
    role: constantFrom('', ...OPTIONAL_FIELDS.role.options),
    source: SOURCES,
  });
  const bodies = oneof(
    likely.map((fields) => ({ type: 'application/json', text: JSON.stringify(fields) })),
    likely.map((fields) => ({ type: FORM, text: asForm({ ...fields, consent: wordings[0] }) })),
    payload.map((fields) => ({ type: 'application/json', text: JSON.stringify(fields) })),
    payload.map((fields) => ({ type: 'text/plain;charset=UTF-8', text: JSON.stringify(fields) })),
    payload.map((fields) => ({ type: FORM, text: asForm(fields) })),
    tuple(payload, payload).map((both) => ({ type: FORM, text: both.map(asForm).join('&') })),
    jsonValue().map((value) => ({ type: 'application/json', text: JSON.stringify(value) })),
    anyText.map((text) => ({ type: 'application/json', text })),
    anyText.map((text) => ({ type: FORM, text })),
    nat(20_000).map((length) => ({ type: 'application/json', text: `{"email":"${'x'.repeat(length)}"}` })),
  ).map(({ type, text }) => ({ type, body: Buffer.from(text) }));
  const bytes = record({
    type: constantFrom('application/json', 'text/plain', FORM, 'multipart/form-data', 'application/xml', ''),
    body: uint8Array({ maxLength: 300 }),
  });
  return tuple(oneof({ weight: 9, arbitrary: bodies }, { weight: 1, arbitrary: bytes }), headers()).map(
    ([{ type, body }, others]) => ({ headers: { ...others, ...(type && { 'Content-Type': type }) }, body }),
  );
}

const FORM = 'application/x-www-form-urlencoded';

function asForm(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(pairs).toString();
}

function headers(): Arbitrary<Record<string, string>> {
  return record({
    Accept: constantFrom('*/*', 'text/html', 'application/json'),
    'X-Client': oneof(
      { weight: 20, arbitrary: nat(0xff_ff_ff).map(formatAddress) },
      { weight: 1, arbitrary: string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim()) },
    ),
  });
}

function formatAddress(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}
