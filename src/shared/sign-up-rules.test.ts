import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAMPAIGN_PARAMETERS, findProblem, makeSource } from './sign-up-rules.ts';

describe('the rules for a visitor’s input', () => {
  test.each([
    ['treats a blank address as missing', { email: '  \t', consent: true }, 'Email required'],
    ['asks for the address before consent', { email: '', consent: false }, 'Email required'],
    ['reports an invalid address before missing consent', { email: 'somebody', consent: false }, 'Invalid email'],
    ['requires an @ in an address', { email: 'somebody.example.org', consent: true }, 'Invalid email'],
    ['requires a dot after the @', { email: 'some.body@example', consent: true }, 'Invalid email'],
    ['rejects an address with two @', { email: 'some@body@example.org', consent: true }, 'Invalid email'],
    ['rejects an address with a space', { email: 'some body@example.org', consent: true }, 'Invalid email'],
    [
      'rejects an address of 255 characters, too long for SMTP',
      { email: `${'a'.repeat(243)}@example.org`, consent: true },
      'Invalid email',
    ],
    ['asks for consent', { email: 'somebody@example.org', consent: false }, 'Consent required'],
  ])('%s', (_, entry, title) => {
    expect(findProblem(entry)?.title).toBe(title);
  });

  test('ignores spaces around an email address', () => {
    expect(findProblem({ email: ' somebody@example.org\n', consent: true })).toBeUndefined();
  });

  test('accepts every ordinary email address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        fc.pre(email.length <= 254);
        expect(findProblem({ email, consent: true })).toBeUndefined();
      }),
    );
  });
});

describe('the source of a sign-up', () => {
  test('is only the form’s name if the page was not reached through a campaign', () => {
    expect(makeSource('Footer', '')).toBe('Footer');
    expect(makeSource('Footer', '?page=2&gclid=abc')).toBe('Footer');
  });

  test('lists the campaign in the order of the specification, decoded, without empty values', () => {
    const search = '?utm_content=a%2Bb&utm_campaign=autumn+2026&utm_term=&utm_source=news%26notes';
    expect(makeSource('Founder', search)).toBe(
      'Founder | utm_source=news&notes&utm_campaign=autumn 2026&utm_content=a+b',
    );
  });

  test('uses the first value of a repeated parameter', () => {
    expect(makeSource('Footer', '?utm_source=one&utm_source=two')).toBe('Footer | utm_source=one');
  });

  test('is never cut in the middle of a character', () => {
    const source = makeSource('Footer', `?utm_source=${'a'.repeat(199)}${encodeURIComponent('😀')}`);
    expect(source.isWellFormed()).toBe(true);
  });

  test.each(['line\r\n', '"\\', '\u0007', '😀', '\ud800', '\u2028é'])('is one line within the limit: %j', (text) => {
    const values = CAMPAIGN_PARAMETERS.map((name) => [name, text.repeat(250)]);
    const source = makeSource('Founder', `?${new URLSearchParams(values)}`);
    expect(source).not.toMatch(/\p{Cc}/u);
    expect(new TextEncoder().encode(JSON.stringify(source)).byteLength).toBeLessThan(6500);
  });
});
