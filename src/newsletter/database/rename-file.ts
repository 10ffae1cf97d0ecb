import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Renames a file or folder. If another program holds it for a moment, as virus scanners and sync programs do on
 * Windows, the rename is retried for a second.
 * @param renameOnce the file system's rename; tests pass their own
 * @throws the error of the last attempt
 */
export async function renameFile(from: string, to: string, renameOnce = rename): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await renameOnce(from, to);
      return;
    } catch (error) {
      if (tries > TRIES || !HELD.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await pause(PAUSE_MS);
    }
  }
}

const TRIES = 20;
const PAUSE_MS = 50;
const HELD = new Set(['EPERM', 'EBUSY', 'EACCES']);
