import { readFileSync, writeFileSync } from 'node:fs';
import type fileSystem from 'node:fs';
import type promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';

const failures = vi.hoisted(() => ({ link: '', rename: [] as string[] }));

const fail = vi.hoisted(() => (code: string) => {
  throw Object.assign(new Error(code), { code });
});

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof fileSystem>();
  return {
    ...fs,
    linkSync: (...paths: [string, string]) => (failures.link ? fail(failures.link) : fs.linkSync(...paths)),
  };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof promises>();
  const rename = async (...paths: [string, string]) => {
    const code = failures.rename.shift();
    return code === undefined ? fs.rename(...paths) : fail(code);
  };
  return { ...fs, rename };
});

// Tests in a worker share modules: another may have loaded these with the real file system.
vi.resetModules();
const { writeNewFile } = await import('./write-new-file.ts');

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP'])('a disk without hard links (%s) takes a file', async (code) => {
  failures.link = code;
  const file = join(makeFolder(), 'backup.db');
  await writeNewFile(file, async (draft) => writeFileSync(draft, 'people'));
  expect(readFileSync(file, 'utf8')).toBe('people');
});

test('a file that another program holds for a moment is renamed again, and for any other reason not', async () => {
  failures.link = 'ENOTSUP';
  const folder = makeFolder();
  const write = (name: string) => writeNewFile(join(folder, name), async (draft) => writeFileSync(draft, 'people'));
  failures.rename = ['EPERM', 'EBUSY', 'EACCES'];
  await write('held.db');
  expect(readFileSync(join(folder, 'held.db'), 'utf8')).toBe('people');
  failures.rename = ['ENOSPC'];
  await expect(write('full.db')).rejects.toThrow('full.db');
});
