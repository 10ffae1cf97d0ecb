import { join } from 'node:path';
import { vi } from 'vitest';
import { runCommand as runParsed } from '#cli/run-command.ts';
import { createUpdatesCommand } from '#cli/updates-command.ts';
import { TEST_SITE } from '../../built-sites.ts';
import { content } from '../../test-content.ts';
import type { CommandResult } from './built-server.ts';

/** Runs one of the owner's commands for the list. */
export function runCommand(variables: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return runProgram('../../../src/cli/subscribers-program.ts', args, variables);
}

/** Runs one of the owner's commands for the updates in CONTENT_DIR, with the test site's pictures. */
export function runUpdates(variables: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  const sources = {
    sender: content,
    site: join(TEST_SITE, 'site'),
    updates: join(variables.CONTENT_DIR ?? '', 'updates'),
  };
  return runHere(
    () => runParsed(createUpdatesCommand(async ({ store }) => ({ ...sources, db: store.db, project: undefined }))),
    args,
    variables,
  );
}

/**
 * Runs one of the owner's programs.
 * @param file path relative to this file
 * @param variables its whole environment
 */
export function runProgram(file: string, args: string[], variables: Record<string, string>): Promise<CommandResult> {
  // Importing a program runs it. A different query string makes it run again.
  runs += 1;
  return runHere(() => import(`${file}?run=${runs}`), args, variables);
}

let runs = 0;

/** Runs a program in the test's own process, since a process of its own takes half a second. */
async function runHere(
  run: () => Promise<unknown>,
  args: string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  const { argv, env } = process;
  const [output, errors] = [capture(process.stdout), capture(process.stderr)];
  process.argv = [process.execPath, 'program', ...args];
  process.env = { ...variables, PATH: env.PATH };
  try {
    await run();
    return { code: Number(process.exitCode ?? 0), output: output.join(''), errors: errors.join('') };
  } finally {
    vi.mocked(process.stdout.write).mockRestore();
    vi.mocked(process.stderr.write).mockRestore();
    // A program may have added a listener for a closed pipe.
    process.stdout.removeAllListeners('error');
    Object.assign(process, { argv, env, exitCode: undefined });
  }
}

/** Collects what is written to a stream, instead of printing it. */
function capture(stream: NodeJS.WriteStream): string[] {
  const texts: string[] = [];
  vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  return texts;
}
