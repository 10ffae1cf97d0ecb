import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '#settings/environment.ts';

/**
 * Names a new file in the folder for personal data (PRIVATE_DIR), and creates the folder, which only its owner can
 * read.
 * @param name says what the file holds; the time is appended
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
 * Removes backups and exports that are more than thirty days old, as the privacy policy promises, going by the time in
 * their names. Files with other names are left alone.
 * @param now milliseconds since 1970
 * @returns their paths
 */
export function removeOldPrivateFiles(privateDir: string, now: number): string[] {
  const folder = resolve(privateDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => isOld(name, now)).map((name) => join(folder, name));
  for (const file of files) rmSync(file);
  return files;
}

/** Whether a backup or an export is too old to keep, going by the time in its name. */
function isOld(name: string, now: number): boolean {
  const [, day, hour, minute, second] = OUR_NAME.exec(name) ?? [];
  return day !== undefined && now - Date.parse(`${day}T${hour}:${minute}:${second}Z`) > KEPT_DAYS * DAY_MS;
}

const OUR_NAME =
  /^(?:backup|all|subscribed|pending|unsubscribed|undeliverable)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\.(?:db|dump|csv|json)$/;

/** How long backups and exports are kept. */
export const KEPT_DAYS = 30;

const DAY_MS = 24 * 3600_000;
