import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { findFreeName, listFileSources, readFileSource, toSource, toWriting } from './update-files.ts';

const TEXT = '---\nsubject: Für alle\npreview: x\n---\n\nHello\n';

function makeUpdates(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, 'folder.md'));
  writeFileSync(join(folder, 'marked.md'), `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);
  writeFileSync(join(folder, 'windows.md'), Buffer.from(TEXT, 'latin1'));
  return folder;
}

test('drops a byte order mark and Windows line endings from an update', () => {
  expect(readFileSource(makeUpdates(), 'marked')?.text).toBe(TEXT);
});

test('rejects an update that isn’t UTF-8, since saving it would lose letters', () => {
  expect(() => readFileSource(makeUpdates(), 'windows')).toThrow(/^windows\.md:2:.* not saved as UTF-8/);
});

test('lists files of every encoding, but not a folder', () => {
  expect(
    listFileSources(makeUpdates())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['marked', 'windows']);
});

test.each(['Hello', '---\nsubject: [\n---\n\nHello\n', '---\nroles: Founder\n---\n\nHello\n'])(
  'treats a whole file as text if its front matter can’t be parsed: %j',
  (source) => {
    expect(toWriting(source)).toEqual({ subject: '', preview: '', text: source });
  },
);

test.each(['\n---\nsubject: Pay\n---\n\nHello\n', '--- \nsubject: Pay\n--- \nHello\n'])(
  'ignores blank lines and spaces around the front matter: %j',
  (source) => {
    expect(toWriting(source)).toMatchObject({ subject: 'Pay', text: 'Hello\n' });
  },
);

test('reads an update as it was saved', () => {
  const writing = { subject: 'Pay: "2026"', preview: '12', text: 'Hello\n', roles: ['Founder', ''] };
  expect(toWriting(toSource(writing))).toEqual(writing);
});

test('names an update in Latin letters', async () => {
  const isTaken = (name: string) => Promise.resolve(name === '2026-12-strasse-in-lodz');
  expect(await findFreeName('2026-12 Straße in Łódź', isTaken)).toBe('2026-12-strasse-in-lodz-2');
});
