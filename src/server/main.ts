import { explainError } from '#shared/explain-codes.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { loadSettings } from '#settings/settings-file.ts';
import { announce } from './log.ts';
import { startSite } from './start-site.ts';

try {
  const settings = loadSettings();
  if (settings) announce(`Settings: ${settings}`);
  await startSite(parseEnvironment(process.env), { program: import.meta.url });
} catch (error) {
  // The message says how the owner can correct it, and a stack would hide it.
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}
