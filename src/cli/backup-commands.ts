import { join } from 'node:path';
import { makeBackup } from '#newsletter/backup/make-backup.ts';
import { restoreBackup } from '#newsletter/backup/restore-backup.ts';
import { formatPeople } from '#newsletter/format.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { SECRET_FILE } from '#newsletter/subscribers/signing-secret.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { printResult, type JsonOption, write, writeError } from './print.ts';

export async function backUp(opened: Opened, named: string | undefined): Promise<void> {
  const backup = await makeBackup(opened, named);
  const secret = join(opened.env.DATA_DIR, SECRET_FILE);
  write(
    `Backed up ${formatPeople(backup.people)} to ${backup.file}. Keep the signing secret (${secret} or SIGNING_SECRET) with it.\n`,
  );
}

export async function restore(file: string, options: JsonOption & { replace?: boolean }): Promise<void> {
  const { isListDamaged, ...restored } = await restoreBackup(
    parseEnvironment(process.env),
    file,
    options.replace ?? false,
  );
  if (isListDamaged) {
    writeError(
      'The replaced list was damaged, so unsubscribe or erase again everybody who has asked for it since the backup was made.\n',
    );
  }
  const text = `Restored ${formatPeople(restored.people)}.
Unsubscribed or erased again, as they had been since the backup: ${restored.unsubscribed + restored.erased}.
Emails held back that may have gone out since: ${restored.heldMails}. "subscribers retry all" sends them.
Updates paused that may have gone out since: ${restored.pausedUpdates}. "updates resume" sends one to the rest, "updates cancel" ends it.
`;
  printResult(options, restored, text);
}
