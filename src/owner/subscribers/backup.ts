import { join } from 'node:path';
import { SECRET_FILE } from '#list/signing-secret.ts';
import { recordBackup, recordBackupBegun } from '#mail/summary/last-backup.ts';
import { backupStore } from './backup-store.ts';
import { type Answer, print, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';

export async function backUp({ env, store }: Opened, file: string, { json }: Answer): Promise<void> {
  await makeBackup({ env, store }, file);
  if (json) return print({ file });
  const secret = join(env.DATA_DIR, SECRET_FILE);
  write(`Backed up to ${file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`);
}

/** Writes a backup into a new file, and notes when. @throws when the file exists, or the backup is not whole */
export async function makeBackup({ env, store }: Pick<Opened, 'env' | 'store'>, file: string): Promise<void> {
  const begun = Date.now();
  await recordBackupBegun(store, begun);
  await backupStore(env, file);
  await recordBackup(store, begun);
}
