import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { renameFile } from '../database/rename-file.ts';
import { explainError } from '#shared/explain-codes.ts';

/**
 * Writes a new file of personal data that only its owner can read. Until it is complete and on disk, it is called
 * `FILE.unfinished`, which the next attempt would replace.
 * @param write fills the file whose name it gets; the file exists and is empty
 * @throws if a file with this name exists, or if `write` fails; no partial file is left
 */
export async function writeNewFile<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new Error(`${file} already exists; expected the name of a new file`);
  if (!existsSync(dirname(file))) throw new Error(`${file}: create the folder ${dirname(file)} first`);
  const draft = `${file}.unfinished`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const written = await write(draft);
    flush(draft);
    await giveName(draft, file);
    return written;
  } catch (error) {
    throw new Error(`${file} could not be written: ${explainError(error)}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Unlike a rename, a link can't replace a file that was created in the meantime. Some disks (exFAT, network shares)
 * have no links.
 */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file)) throw error;
    await renameFile(draft, file);
  }
}

function flush(file: string): void {
  const written = openSync(file, 'r+');
  fsyncSync(written);
  closeSync(written);
}
