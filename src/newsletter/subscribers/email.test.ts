import { assert, emailAddress, property } from 'fast-check';
import { expect, test } from 'vitest';
import { toDeliverableEmail, hashMailbox, normaliseEmail, toDisplayEmail } from './email.ts';

test.each([
  [' Anna@Example.ORG ', 'anna@example.org', 'Anna@example.org'],
  ['JÖRG@MÜNCHEN.example', 'jörg@xn--mnchen-3ya.example', 'JÖRG@xn--mnchen-3ya.example'],
  ['jo\u0308rg@example.org', 'jörg@example.org', 'jörg@example.org'],
  ['用户@例子.中国', '用户@xn--fsqu00a.xn--fiqs8s', '用户@xn--fsqu00a.xn--fiqs8s'],
  ["o'brien/x@example.org", "o'brien/x@example.org", "o'brien/x@example.org"],
  ['a.b+C@sub.example.org', 'a.b+c@sub.example.org', 'a.b+C@sub.example.org'],
])('normalises %j to %s, and sends email to %s', (typed, person, mailed) => {
  expect(normaliseEmail(typed)).toBe(person);
  expect(toDeliverableEmail(typed)).toBe(mailed);
});

test.each([
  '',
  'anna@',
  'anna@example',
  'a,b@example.org',
  '"a b"@example.org',
  'a@exa mple.org',
  'a\u0000@example.org',
  '\uD800@example.org',
  'a\u202Eb@example.org',
  '“anna@example.org”',
  '‘anna’@example.org',
  'o’brien@example.org',
  'a\u3000b@example.org',
  'bob@example.org/evil.x',
  'bob@ex%41mple.org',
  'g@0x7f.1',
  'g@127.0.0.1',
  'e@example..org',
  'e..f@example.org',
  `${'ö'.repeat(33)}@example.org`,
  `e@${'ö'.repeat(63)}.org`,
  `e@${`${'ö'.repeat(50)}.`.repeat(4)}example.org`,
])('rejects %j, since no email could be delivered to it', (typed) => {
  expect(toDeliverableEmail(typed)).toBeUndefined();
  expect(normaliseEmail(typed)).toBeUndefined();
});

test.each(['\u200B', '\u202A', '\uFEFF', '\u00A0', '\u00AD', '\uFE0F', '\uFFFC', '\u2800', ' \t'])(
  'removes the invisible %j around a pasted address',
  (mark) => {
    expect(normaliseEmail(`${mark}Anna@example.org${mark}${mark}`)).toBe('anna@example.org');
    expect(toDisplayEmail(`${mark}Anna@example.org${mark}`)).toBe('Anna@example.org');
  },
);

test('extracts the email address from a pasted mailto link', () => {
  expect(normaliseEmail('\u200BMailto:\u202Aanna@example.org')).toBe('anna@example.org');
});

test.each(['Jo@BÜCHER.example', 'Jo@xn--bcher-kva.example'])('shows %s with its domain in Unicode', (typed) => {
  expect(toDisplayEmail(typed)).toBe('Jo@bücher.example');
});

test('leaves a normalised address unchanged when it is normalised again', () => {
  assert(
    property(emailAddress(), (email) => {
      const once = normaliseEmail(email);
      expect(once === undefined ? undefined : normaliseEmail(once)).toBe(once);
    }),
  );
});

test('treats every spelling of a mailbox as the same one, and other mailboxes as different', () => {
  expect(new Set(['anna@example.org', 'ANNA@example.org', 'Anna+news@example.org'].map(key)).size).toBe(1);
  expect(key('ben@example.org')).not.toBe(key('anna@example.org'));
  expect(key('+a@example.org')).not.toBe(key('+b@example.org'));
  expect(key('anna@example.org')).not.toContain('anna');
});

test.each([
  ['anna.smith@gmail.com', 'a.n.n.a.smith@gmail.com', true],
  ['anna.smith@gmail.com', 'AnnaSmith+news@googlemail.com', true],
  ['anna.smith@gmail.com', 'ann.smith@gmail.com', false],
  ['anna.smith@example.org', 'annasmith@example.org', false],
  ['annasmith@gmail.com', 'annasmith@gmail.example.org', false],
  ['anna@icloud.com', 'Anna+news@me.com', true],
  ['anna@mac.com', 'anna@me.com', true],
  ['anna@proton.me', 'anna@protonmail.com', true],
  ['anna.berg@proton.me', 'anna_b-erg+news@pm.me', true],
  ['anna-berg@icloud.com', 'annaberg@icloud.com', false],
  ['anna@outlook.com', 'anna@hotmail.com', false],
  ['anna@fastmail.com', 'anna+news@fastmail.com', true],
])(
  'ignores what Gmail and Proton ignore, and treats a provider’s domains for one mailbox as one: %s and %s',
  (one, other, isOne) => {
    expect(key(one) === key(other)).toBe(isOne);
  },
);

function key(email: string): string {
  return hashMailbox(email, 'secret');
}
