import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { PUBLIC_SITE, PUBLIC_URL, TEST_SITE } from '../../built-sites.ts';
import { type ServerProcess, startServer } from '../../server-process.ts';

export type BuiltServer = ServerProcess;

/** Starts the built server with these variables until the test ends, with a SITE_URL if it sends email. */
export async function startBuiltServer(variables: Record<string, string>): Promise<BuiltServer> {
  const isPublic = variables.SMTP_URL !== undefined;
  const running = await startServer(isPublic ? PUBLIC_SITE : TEST_SITE, {
    ...(isPublic && { SITE_URL: PUBLIC_URL }),
    TRUSTED_PROXY_HEADER: 'X-Client',
    MAIL_HOURLY_CAP: '1000000',
    ...variables,
  });
  onTestFinished(running.kill);
  return running;
}

export type CommandResult = { code: number | null; output: string; errors: string };

/** Runs one of the owner's commands in its own process. */
export function runBuiltCommand(variables: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return runBuilt('subscribers', args, variables);
}

/** Starts one of the owner's commands. */
export function spawnCommand(variables: Record<string, string>, ...args: string[]) {
  return spawnBuilt('subscribers', args, variables);
}

/** Runs a built program until it exits. */
export async function runBuilt(
  name: string,
  args: string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  const child = spawnBuilt(name, args, variables);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, output, errors };
}

function spawnBuilt(name: string, args: string[], variables: Record<string, string>) {
  const file = join(TEST_SITE, `server/${name}.js`);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...variables };
  // A program that doesn't exit by itself fails its test and is killed.
  return spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 100_000 });
}

let clients = 0;

/** A header that makes each request look like a different visitor's, so that none is rate-limited. */
export function anotherVisitor(): Record<string, string> {
  clients += 1;
  return { 'X-Client': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` };
}
