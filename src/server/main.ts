import { fileURLToPath } from 'node:url';
import { explainError } from '#shared/explain-codes.ts';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { loadSettings } from '#settings/settings-file.ts';
import { checkPublished } from './check-published.ts';
import { announce } from './log.ts';
import { startSite } from './start-site.ts';

try {
  const settings = loadSettings();
  if (settings) announce(`Settings: ${settings}`);
  const env = parseEnvironment(process.env);
  if (process.argv.includes('--check-content')) await reportMisfits(env);
  else await startSite(env, { program: import.meta.url });
} catch (error) {
  // The message says how to correct the error; a stack trace would hide that.
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}

/** Exits with 1 if anything that the owner has published doesn't fit this build. */
async function reportMisfits(env: Environment): Promise<void> {
  const misfits = await checkPublished(fileURLToPath(new URL('..', import.meta.url)), env);
  for (const line of misfits) announce(`The site would show its default text in ${line}`);
  if (misfits.length === 0) announce('Everything that is published fits this build.');
  process.exitCode = misfits.length === 0 ? 0 : 1;
}
