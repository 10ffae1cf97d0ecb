import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '#settings/environment.ts';

/**
 * Names a new file in the folder for personal data (PRIVATE_DIR), and creates the folder, readable by its owner only.
 * @param name what the file holds, to which the time is added
 * @returns its absolute path
 * @throws if the folder can't be created or written
 */
export function namePrivateFile(
  { PRIVATE_DIR }: Pick<Environment, 'PRIVATE_DIR'>,
  name: string,
  ending: string,
): string {
  const folder = resolve(PRIVATE_DIR);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`PRIVATE_DIR: ${folder} cannot be written. Make this user its owner, or name another folder`, {
      cause: error,
    });
  }
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return join(folder, `${name}-${time}.${ending}`);
}
