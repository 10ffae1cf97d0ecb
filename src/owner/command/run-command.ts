import { loadSettings } from '#content/settings-file.ts';
import { explainError } from '#shared/explain-codes.ts';
import { writeError } from './print.ts';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';

/**
 * Runs a command of the owner's, and sets the exit code: 1 when it could not be done or nobody was found, 2 when it was
 * not understood. A failure is printed as its message alone.
 */
export async function runCommand(program: Command): Promise<void> {
  // A reader such as `head` has seen enough.
  process.stdout.on('error', () => process.exit());
  try {
    loadSettings();
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      writeError(`${explainError(error)}\n`);
      process.exitCode = 1;
    }
  }
}

/** An option's value; @throws {InvalidArgumentError} where it is no port */
export function readPort(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_PORT) {
    throw new InvalidArgumentError(`Expected a port: a whole number up to ${MAX_PORT}`);
  }
  return Number(text);
}

const MAX_PORT = 65_535;
