import { expect, test } from 'vitest';
import { cleanTyped } from './clean-typed.ts';

test.each([
  ['a telephone number from a list of contacts', '\u202A+44 131 496 0000\u202C', '+44 131 496 0000'],
  ['an address from a chat', 'office@quillharbour.test\u200B', 'office@quillharbour.test'],
  ['letters in a Mac’s file names', 'Zoe\u0308', 'Zo\u00EB'],
  ['control characters', 'a\0b\u0008c\u007Fd', 'abcd'],
  ['line breaks from Windows, old Macs and PowerPoint', 'a\r\nb\rc\u000Bd\u0085e', 'a\nb\nc\nd\ne'],
  [
    'joiners, no-break spaces and tabs, which are kept',
    '\uD83D\uDC69\u200D\uD83D\uDC67 10\u00A0% “so”\tend',
    '\uD83D\uDC69\u200D\uD83D\uDC67 10\u00A0% “so”\tend',
  ],
])('%s', (_, typed, clean) => {
  expect(cleanTyped(typed)).toBe(clean);
});
