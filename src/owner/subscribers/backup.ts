import { join } from 'node:path';
import { SECRET_FILE } from '#list/signing-secret.ts';
import { recordBackup, recordBackupBegun } from '#mail/summary/last-backup.ts';
import { backupStore } from './backup-store.ts';
import { type Answer, print, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';

export async function backUp({ env, store }: Opened, file: string, { json }: Answer): Promise<void> {
  const begun = Date.now();
  await recordBackupBegun(store, begun);
  await backupStore(env, file);
  await recordBackup(store, begun);
  if (json) return print({ file });
  const secret = join(env.DATA_DIR, SECRET_FILE);
  write(`Backed up to ${file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`);
}
