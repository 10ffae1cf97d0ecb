import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#settings/environment.ts';

/** The folder that emails are written to if there is no SMTP_URL. */
export function toOutboxPath(env: Pick<Environment, 'DATA_DIR'>): string {
  return join(env.DATA_DIR, 'outbox');
}

/** @param id the delivery's */
export function toMailPath(outbox: string, id: string): string {
  return join(outbox, `${id}.eml`);
}

/** The name of an email's file until it is complete. */
export function toDraftPath(outbox: string, id: string): string {
  return join(outbox, `.${id}`);
}

/** Lists the deliveries that have an email or a draft in the outbox. */
export async function listMailFiles(outbox: string): Promise<string[]> {
  const names = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return [...new Set(names.flatMap((name) => OUR_FILE.exec(name)?.[1] ?? []))];
}

/** Other files in the folder must not be deleted. */
const OUR_FILE = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.eml)?$/;

/** Removes the emails and drafts of these deliveries. */
export async function removeMailFiles(outbox: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    await rm(toMailPath(outbox, id), { force: true });
    await rm(toDraftPath(outbox, id), { force: true });
  }
}
