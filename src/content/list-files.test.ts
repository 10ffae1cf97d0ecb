import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { createFileCheck } from './list-files.ts';

test.each([
  ['/Our terms.pdf', true],
  ['/Our%20terms.pdf', true],
  ['/Geb%C3%BChren/50%.pdf', true],
  ['/link.pdf', true],
  [`/${'Gebühren'.normalize('NFD')}/50%.pdf`, true],
  ['/.env', false],
  ['/@eaDir/press.pdf', false],
  ['/nowhere.pdf', false],
  ['/Geb%C3%BChren', false],
  ['Our%20terms.pdf', false],
  ['//Our%20terms.pdf', false],
  ['/../Our%20terms.pdf', false],
  ['/%00', false],
  ['/', false],
])('says whether the server responds to %s with a file: %s', (address, isThere) => {
  const folder = makeFolder();
  for (const name of ['Gebühren', '@eaDir']) mkdirSync(join(folder, name));
  for (const name of ['Our terms.pdf', 'Gebühren/50%.pdf', '@eaDir/press.pdf', '.env'])
    writeFileSync(join(folder, name), '');
  symlinkSync('Our terms.pdf', join(folder, 'link.pdf'));
  symlinkSync('nowhere', join(folder, 'nowhere.pdf'));
  expect(createFileCheck(folder)(address)).toBe(isThere);
});
