import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainError } from '#shared/explain-codes.ts';
import { refuseIfGitWouldAdd } from './private-file.ts';

/**
 * Makes a file of personal data that did not exist before. It gets its name once it is whole and on disk; until then it
 * is called `FILE.unfinished`, which only its owner can read, and which the next attempt replaces.
 * @param write fills the file of the given name, which is there and empty
 * @throws when there is a file of this name, when Git would take it, or when `write` fails; then nothing is left
 */
export async function writeNewFile<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  if (existsSync(file)) throw new Error(`${file} exists; expected the name of a new file`);
  refuseIfGitWouldAdd(file);
  if (!existsSync(dirname(file))) throw new Error(`${file}: make the folder ${dirname(file)} first`);
  const draft = `${file}.unfinished`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const written = await write(draft);
    flush(draft);
    // Unlike a renaming, this replaces no file that has come since.
    linkSync(draft, file);
    return written;
  } catch (error) {
    throw new Error(`${file} could not be written: ${explainError(error)}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

function flush(file: string): void {
  const written = openSync(file, 'r+');
  fsyncSync(written);
  closeSync(written);
}
