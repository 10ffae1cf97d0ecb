import { vi } from 'vitest';
import type { CommandResult } from './built-server.ts';

/** Runs one of the owner's commands over the list. */
export function runCommand(variables: Record<string, string>, ...words: string[]): Promise<CommandResult> {
  return runProgram('../../src/commands/subscribers/subscribers.ts', words, variables);
}

/**
 * Runs a program of the owner's in the test's own process, since a process of its own takes half a second.
 * @param file from here
 * @param variables its whole environment
 */
export async function runProgram(
  file: string,
  words: string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  const { argv, env } = process;
  const [output, errors] = [capture(process.stdout), capture(process.stderr)];
  process.argv = [process.execPath, file, ...words];
  process.env = { ...variables, PATH: env.PATH };
  try {
    // A program runs when it is loaded: another query loads it again.
    runs += 1;
    await import(`${file}?run=${runs}`);
    return { code: Number(process.exitCode ?? 0), output: output.join(''), errors: errors.join('') };
  } finally {
    vi.mocked(process.stdout.write).mockRestore();
    vi.mocked(process.stderr.write).mockRestore();
    // A program may listen for a reader that closes early.
    process.stdout.removeAllListeners('error');
    Object.assign(process, { argv, env, exitCode: undefined });
  }
}

let runs = 0;

/** Collects what is written to a stream, instead of printing it. */
function capture(stream: NodeJS.WriteStream): string[] {
  const texts: string[] = [];
  vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  return texts;
}
