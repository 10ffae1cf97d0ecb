/** The owner's settings, for what npm starts. Plain JavaScript: it runs on whatever Node the machine has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loads `.env` of the project's folder, where what is set already wins, and names it to the programs, which check it.
 * @param {string} root the project's folder
 */
export function useSettings(root) {
  process.env.SETTINGS_FILE ??= join(root, '.env');
  const file = process.env.SETTINGS_FILE;
  if (!file || !existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch {
    // The program that reads it next says what is wrong.
  }
}
