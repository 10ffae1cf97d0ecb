import { describe, expect, test } from 'vitest';
import { decodeListFile } from './read-list-file.ts';

describe('a list', () => {
  test.each([
    ['in UTF-8', Buffer.from('Jörg, 李')],
    ['in UTF-8 with a byte order mark', Buffer.from('\uFEFFJörg, 李')],
    ['in UTF-16, as spreadsheets save "Unicode text"', Buffer.from('\uFEFFJörg, 李', 'utf16le')],
    ['in UTF-16 without a byte order mark', Buffer.from('Jörg, 李', 'utf16le')],
    ['in UTF-16 with the other byte order', Buffer.from('\uFEFFJörg, 李', 'utf16le').swap16()],
  ])('reads a list %s without a warning', (_, bytes) => {
    expect(decodeListFile(bytes, 'list.csv')).toEqual({ text: 'Jörg, 李', encoding: 'Unicode' });
  });

  test('reads a list in Windows-1252, in which spreadsheets save plain CSV, with a warning', () => {
    const bytes = Buffer.from([0x4a, 0xf6, 0x72, 0x67, 0x20, 0x80, 0x20, 0x93, 0x41, 0x94]);
    expect(decodeListFile(bytes, 'list.csv')).toEqual({ text: 'Jörg € “A”', encoding: 'windows-1252' });
  });

  test.each([
    ['a workbook', Buffer.from([0x50, 0x4b, 0x03, 0x04]), 'Save its sheet as "CSV UTF-8"'],
    ['an Excel 97–2003 workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'Save its sheet as "CSV UTF-8"'],
    ['a web page', Buffer.from('<html><table>'), 'Save its sheet as "CSV UTF-8"'],
    ['contact cards', Buffer.from('BEGIN:VCARD\r\n'), 'Export the contacts as CSV'],
    ['JSON', Buffer.from('[{"email": "a@x.org"}]'), 'Export it as CSV'],
  ])('rejects %s, and says what to save instead', (_, bytes, advice) => {
    expect(() => decodeListFile(bytes, 'list.csv')).toThrow(advice);
  });
});
