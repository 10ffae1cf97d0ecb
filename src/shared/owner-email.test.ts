import { expect, test } from 'vitest';
import { emailField, toAsciiDomain } from './owner-email.ts';

const field = emailField('expected an address');

test.each([
  ['hello@bücher.example', 'hello@xn--bcher-kva.example'],
  ['Hello@BÜCHER.example', 'Hello@xn--bcher-kva.example'],
  ['hello@bu\u0308cher.example', 'hello@xn--bcher-kva.example'],
  ['hello@xn--bcher-kva.example', 'hello@xn--bcher-kva.example'],
  ['anna@почта.рф', 'anna@xn--80a1acny.xn--p1ai'],
  ['anna@example.xn--p1ai', 'anna@example.xn--p1ai'],
  ['\u200Bhello@example.org\u202C ', 'hello@example.org'],
  ["o'neil+jobs@mail.example.co.uk", "o'neil+jobs@mail.example.co.uk"],
])('accepts %s and returns the form that mail servers use', (typed, address) => {
  expect(field.parse(typed)).toBe(address);
});

test.each([
  '',
  'me',
  '@example.org',
  'me@example',
  'a b@example.org',
  'a@b@example.org',
  'me@192.0.2.1',
  'me@-x.org',
  'me@xn--.org',
  'me@exa_mple..org',
  'me@example.org/x',
  'a..b@example.org',
])('rejects %j as an email address', (typed) => {
  expect(field.safeParse(typed)).toMatchObject({
    success: false,
    error: { issues: [{ message: 'expected an address' }] },
  });
});

test.each([
  ['bücher.example', 'xn--bcher-kva.example'],
  ['example.org:443', undefined],
  ['https://example.org', undefined],
])('the domain %s is %s', (typed, domain) => {
  expect(toAsciiDomain(typed)).toBe(domain);
});
