import { join } from 'node:path';
import { SECRET_FILE } from '#list/signing-secret.ts';
import { recordBackup, recordBackupBegun } from '#mail/summary/last-backup.ts';
import { backupStore } from './backup-store.ts';
import { namePrivateFile } from '../command/private-file.ts';
import { write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';

export async function backUp(opened: Opened, named: string | undefined): Promise<void> {
  const file = await makeBackup(opened, named);
  const secret = join(opened.env.DATA_DIR, SECRET_FILE);
  write(`Backed up to ${file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`);
}

/**
 * Writes a backup into a new file, by default in PRIVATE_DIR, and notes when.
 * @returns the file
 * @throws when the file exists, when Git would take it, or when the backup is not whole
 */
export async function makeBackup({ env, store }: Pick<Opened, 'env' | 'store'>, named?: string): Promise<string> {
  const file = named ?? namePrivateFile(env, 'backup', env.DATABASE_URL === undefined ? 'db' : 'dump');
  const begun = Date.now();
  await recordBackupBegun(store, begun);
  await backupStore(env, file);
  await recordBackup(store, begun);
  return file;
}
