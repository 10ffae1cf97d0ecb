import { assert, constantFrom, emailAddress, property } from 'fast-check';
import { expect, test } from 'vitest';
import { redactEmails } from './redact-emails.ts';

test.each([
  ["550 <o'brien@private.example>: no such user", '550 <…>: no such user'],
  ['see https://help.example/?to=leaky%40private.example for more', 'see https:… for more'],
  ['rfc822;leaky+40private.example', 'rfc822;…'],
  ['leaky&#64;private.example is unknown', '… is unknown'],
  ['"leaky@private.example" is unknown', '"…" is unknown'],
  ['450 4.2.1 try later', '450 4.2.1 try later'],
])('turns %j into %j', (text, kept) => {
  expect(redactEmails(text)).toBe(kept);
});

test('leaves no part of an email address, however a server quotes it', () => {
  const quotings = [
    (address: string) => address,
    (address: string) => `<${address}>`,
    (address: string) => `"${address}"`,
    (address: string) => `(${address})`,
    (address: string) => encodeURIComponent(address),
    (address: string) => encodeURIComponent(encodeURIComponent(address)),
    (address: string) => address.replace('@', '&#64;'),
    (address: string) => address.replace('@', '&#x40;'),
  ];
  assert(
    property(emailAddress(), constantFrom(...quotings), (address, quote) => {
      expect(redactEmails(`550 5.1.1 ${quote(address)}: unknown`)).toMatch(/^550 5\.1\.1 [<"(]?…[>")]?: unknown$/);
    }),
  );
});
