import { assert, emailAddress, property } from 'fast-check';
import { expect, test } from 'vitest';
import { mailboxHash } from '../address-hashes.ts';
import { normaliseAddress } from './address.ts';

test.each([
  [' Anna@Example.ORG ', 'Anna@example.org'],
  ['jörg@MÜNCHEN.example', 'jörg@xn--mnchen-3ya.example'],
  ['a.b+c@sub.example.org', 'a.b+c@sub.example.org'],
])('%j is the person %s', (typed, normalised) => {
  expect(normaliseAddress(typed)).toBe(normalised);
});

test.each([
  '',
  '@example.org',
  'anna@',
  'anna@example',
  'a,b@example.org',
  'a<b>@example.org',
  'a@exa mple.org',
  'a\u0000@example.org',
  '\uD800@example.org',
])('%j is no address that mail could go to', (typed) => {
  expect(normaliseAddress(typed)).toBeUndefined();
});

test('normalising twice is normalising once', () => {
  assert(
    property(emailAddress(), (address) => {
      const once = normaliseAddress(address);
      expect(once === undefined ? undefined : normaliseAddress(once)).toBe(once);
    }),
  );
});

test('every spelling of a mailbox counts as one, other mailboxes do not', () => {
  expect(new Set(['anna@example.org', 'ANNA@example.org', 'Anna+news@example.org'].map(key)).size).toBe(1);
  expect(key('ben@example.org')).not.toBe(key('anna@example.org'));
  expect(key('+a@example.org')).not.toBe(key('+b@example.org'));
  expect(key('anna@example.org')).not.toContain('anna');
});

function key(address: string): string {
  return mailboxHash(address, 'secret');
}
