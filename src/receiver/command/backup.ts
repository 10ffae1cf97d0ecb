import { join } from 'node:path';
import type { Environment } from '#shared/environment.ts';
import { SECRET_FILE } from '../signing-secret.ts';
import { backupStore } from './backup-store.ts';
import { type Answer, print, write } from './print.ts';
import { progressBar } from './progress-bar.ts';

export async function backUp(env: Environment, file: string, { json }: Answer): Promise<void> {
  const bar = progressBar('Backing up', process.stderr);
  await backupStore(env, file, bar.show);
  bar.end();
  if (json) return print({ file });
  const secret = join(env.DATA_DIR, SECRET_FILE);
  write(`Backed up to ${file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`);
}
