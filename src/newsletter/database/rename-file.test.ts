import { expect, test } from 'vitest';
import { renameFile } from './rename-file.ts';

/** A file system whose renames fail with these codes, one after another, and then work. */
function failWith(codes: string[]) {
  const renamed: string[] = [];
  const rename = async (from: unknown, to: unknown) => {
    const code = codes.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    renamed.push(`${String(from)} ${String(to)}`);
  };
  return { rename, renamed };
}

test('retries a rename while another program holds the file', async () => {
  const { rename, renamed } = failWith(['EPERM', 'EBUSY', 'EACCES']);
  await renameFile('draft', 'backup', rename);
  expect(renamed).toEqual(['draft backup']);
});

test('gives up at once on any other error, and after a second if the file stays in use', async () => {
  await expect(renameFile('draft', 'backup', failWith(['ENOSPC']).rename)).rejects.toThrow('ENOSPC');
  const held = failWith(Array.from({ length: 99 }, () => 'EBUSY'));
  await expect(renameFile('draft', 'backup', held.rename)).rejects.toThrow('EBUSY');
});
