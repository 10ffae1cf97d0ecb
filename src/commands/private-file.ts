import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '#shared/environment.ts';

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

/**
 * Keeps personal data out of the project's history. Without Git, and outside a repository, any folder will do.
 * @throws if the next `git add .` would add a file of this name
 */
export function refuseIfGitWouldAdd(file: string): void {
  if (!wouldGitAdd(file)) return;
  throw new Error(
    `${file}: Git would add this file to the project, and it holds personal data. Leave the name out to write into private/, which Git ignores, or name a folder outside the project`,
  );
}

/** Whether the next `git add .` would add a file of this name. */
export function wouldGitAdd(file: string): boolean {
  const place = resolve(file);
  let folder = dirname(place);
  while (!existsSync(folder)) folder = dirname(folder);
  return spawnSync('git', ['check-ignore', '--quiet', '--', place], { cwd: folder, stdio: 'ignore' }).status === 1;
}
