import { loadSettings } from '#settings/settings-file.ts';
import { explainCodes, explainError } from '#shared/explain-codes.ts';
import { writeError } from './print.ts';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';

/**
 * Runs an owner's command and sets the exit code: 1 if it failed or nobody was found, 2 if it wasn't understood. Only
 * the message of an error is printed.
 */
export async function runCommand(program: Command): Promise<void> {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // `head`, for example, closes its input once it has enough.
    if (code === 'EPIPE') process.exit();
    writeError(`The output could not be written: ${explainCodes(`${code}`)}\n`);
    process.exit(1);
  });
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

/**
 * Reads the value of an option or argument with `read`: Commander prints its name before the reason that `read` throws.
 */
export function readOption<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw new InvalidArgumentError(explainError(error));
    }
  };
}

/** @returns a port. @throws if the text isn't one */
export function readPort(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > MAX_PORT) {
    throw new Error(`Expected a port: a whole number up to ${MAX_PORT}`);
  }
  return Number(text);
}

const MAX_PORT = 65_535;
