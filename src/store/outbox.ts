import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#shared/environment.ts';

/** Mails that lie as files in the outbox, by the ids of their deliveries; drafts of them count. */
export type MailFiles = {
  list: () => Promise<string[]>;
  remove: (deliveryIds: string[]) => Promise<void>;
};

/** The folder for mails where no SMTP server is named. */
export function outboxPath(env: Pick<Environment, 'DATA_DIR'>): string {
  return join(env.DATA_DIR, 'outbox');
}

/** @param id the delivery's */
export function mailFile(outbox: string, id: string): string {
  return join(outbox, `${id}.eml`);
}

/** The name of a mail's file until it is whole. */
export function mailDraft(outbox: string, id: string): string {
  return join(outbox, `.${id}`);
}

/** Lists and removes the outbox's files, for erasing. */
export function openMailFiles(env: Pick<Environment, 'DATA_DIR'>): MailFiles {
  const outbox = outboxPath(env);
  return {
    list: async () => [...new Set((await filesIn(outbox)).flatMap((name) => OUR_FILE.exec(name)?.[1] ?? []))],
    remove: async (deliveryIds) => {
      for (const id of deliveryIds) {
        await rm(mailFile(outbox, id), { force: true });
        await rm(mailDraft(outbox, id), { force: true });
      }
    },
  };
}

/** Other files in the folder are not ours to delete. */
const OUR_FILE = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.eml)?$/;

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
