import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { namePrivateFile, removeOldPrivateFiles } from './private-file.ts';
import { writeNewFile } from './write-new-file.ts';

const writeList = (file: string) =>
  writeNewFile(file, async (draft) => {
    writeFileSync(draft, 'anna@example.org');
  });

test('writes personal data into the private folder, which only its owner can open', async () => {
  const folder = makeFolder();
  const file = namePrivateFile({ PRIVATE_DIR: join(folder, 'private') }, 'backup', 'db');
  await writeList(file);
  expect(readFileSync(file, 'utf8')).toBe('anna@example.org');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'private')).mode & 0o777).toBe(0o700);
});

test('removes backups and exports that are more than 30 days old, but no file with another name', () => {
  const folder = makeFolder();
  const kept = ['backup-2026-11-01T03-00-00.db', 'backup-2020-01-01.db', 'notes.txt'];
  const old = ['all-2025-10-29T12-00-00.json', 'backup-2026-10-29T03-00-00.dump'];
  for (const file of [...kept, ...old]) writeFileSync(join(folder, file), '');
  const removed = removeOldPrivateFiles(folder, Date.parse('2026-11-28T12:00:00Z'));
  expect(removed.toSorted()).toEqual(old.map((file) => join(folder, file)));
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
});

test('doesn’t overwrite an existing file', async () => {
  const file = join(makeFolder(), 'older.db');
  writeFileSync(file, 'older');
  await expect(writeList(file)).rejects.toThrow(`${file} already exists; expected the name of a new file`);
  expect(readFileSync(file, 'utf8')).toBe('older');
});

test('names a missing folder in the error', async () => {
  const file = join(makeFolder(), 'not-there/today.db');
  await expect(writeList(file)).rejects.toThrow(`${file}: create the folder ${dirname(file)} first`);
});

test.each([
  ['a file', { code: 'ENOSPC' }],
  ['a database', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
])('names %s in the error if the disk is full, and leaves no partial file', async (_, fault) => {
  const folder = makeFolder();
  const file = join(folder, 'today.db');
  const writing = writeNewFile(file, () => Promise.reject(Object.assign(new Error(), fault)));
  await expect(writing).rejects.toThrow(`${file} could not be written: the disk is full`);
  expect(readdirSync(folder)).toEqual([]);
});

test('names a private folder that can’t be created, and says what to do', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'taken'), '');
  expect(() => namePrivateFile({ PRIVATE_DIR: join(folder, 'taken/private') }, 'backup', 'db')).toThrow(
    'cannot be written. Make this user its owner, or name another folder',
  );
});
