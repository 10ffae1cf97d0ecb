import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { namePrivateFile } from './private-file.ts';
import { writeNewFile } from './write-new-file.ts';

/** A folder with the project's own .gitignore. */
function projectFolder({ inGit }: { inGit: boolean }): string {
  const folder = makeFolder();
  if (inGit) spawnSync('git', ['init', '--quiet', folder]);
  const ignored = readFileSync(fileURLToPath(new URL('../../.gitignore', import.meta.url)));
  writeFileSync(join(folder, '.gitignore'), ignored);
  mkdirSync(join(folder, 'backups'));
  return folder;
}

const writeList = (file: string) =>
  writeNewFile(file, async (draft) => {
    writeFileSync(draft, 'anna@example.org');
  });

test.each(['subscribers.csv', 'backups/today.db', 'not-there/today.db'])(
  'personal data is not written into a file that Git would add: %s',
  async (name) => {
    const file = join(projectFolder({ inGit: true }), name);
    await expect(writeList(file)).rejects.toThrow(`${file}: Git would add this file to the project`);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  },
);

test('personal data goes into the private folder, which only its owner can open', async () => {
  const folder = projectFolder({ inGit: true });
  const file = namePrivateFile({ PRIVATE_DIR: join(folder, 'private') }, 'backup', 'db');
  await writeList(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'private')).mode & 0o777).toBe(0o700);
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('?? .gitignore\n');
});

test('outside a repository, personal data may be written into any folder', async () => {
  const file = join(projectFolder({ inGit: false }), 'subscribers.csv');
  await writeList(file);
  expect(readFileSync(file, 'utf8')).toBe('anna@example.org');
});

test('an existing file is not overwritten', async () => {
  const file = join(projectFolder({ inGit: false }), 'older.db');
  writeFileSync(file, 'older');
  await expect(writeList(file)).rejects.toThrow(`${file} exists already; expected the name of a new file`);
  expect(readFileSync(file, 'utf8')).toBe('older');
});

test('a missing folder is named', async () => {
  const file = join(projectFolder({ inGit: false }), 'not-there/today.db');
  await expect(writeList(file)).rejects.toThrow(`${file}: make the folder ${dirname(file)} first`);
});

test.each([
  ['a file', { code: 'ENOSPC' }],
  ['a database', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
])('on a full disk %s is named, and nothing of it is left', async (_, fault) => {
  const folder = projectFolder({ inGit: false });
  const file = join(folder, 'today.db');
  const writing = writeNewFile(file, () => Promise.reject(Object.assign(new Error(), fault)));
  await expect(writing).rejects.toThrow(`${file} could not be written: the disk is full`);
  expect(readdirSync(folder).filter((name) => name.startsWith('today'))).toEqual([]);
});

test('a private folder that can’t be created is named, with what to do', () => {
  const folder = join(projectFolder({ inGit: false }), '.gitignore/private');
  expect(() => namePrivateFile({ PRIVATE_DIR: folder }, 'backup', 'db')).toThrow(
    `PRIVATE_DIR: ${folder} cannot be written. Make this user its owner, or name another folder`,
  );
});
