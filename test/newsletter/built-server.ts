import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TEST_SITE } from '../built-sites.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const server = join(TEST_SITE, 'server/main.js');
const command = join(TEST_SITE, 'server/subscribers.js');

export type BuiltServer = ServerProcess;

/** Starts the built server with these variables; it is gone with the test. */
export async function startBuiltServer(variables: Record<string, string>): Promise<BuiltServer> {
  const running = await startServer(TEST_SITE, {
    TRUSTED_PROXY_HEADER: 'X-Client',
    MAIL_HOURLY_CAP: '1000000',
    ...variables,
  });
  onTestFinished(() => void running.process.kill('SIGKILL'));
  return running;
}

/** Starts it where it is not expected to live, and tells how it ended. */
export function tryToStart(variables: Record<string, string>): { code: number | null; errors: string } {
  const { status, stderr } = spawnSync(process.execPath, [server], {
    env: { PORT: '0', ...variables },
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { code: status, errors: stderr };
}

export type CommandResult = { code: number | null; output: string; errors: string };

/** Runs one of the owner's commands. */
export function runCommand(variables: Record<string, string>, ...words: string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    env: { PATH: process.env.PATH, ...variables },
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return { code: status, output: stdout, errors: stderr };
}

/** Starts one of the owner's commands beside the test. */
export function spawnCommand(variables: Record<string, string>, ...words: string[]) {
  return spawn(process.execPath, [command, ...words], { env: variables, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Runs one of the owner's commands beside the test, and gives its exit code. */
export async function startCommand(variables: Record<string, string>, ...words: string[]): Promise<number | null> {
  const [code] = (await once(spawnCommand(variables, ...words), 'exit')) as [number | null];
  return code;
}

let clients = 0;

/** A header that makes each request another visitor's, so that the rate limit does not meddle. */
export function anotherVisitor(): Record<string, string> {
  clients += 1;
  return { 'X-Client': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` };
}
