import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { SERVER_FLAGS } from '../../tools/setup/server-flags.mjs';

const server = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const command = fileURLToPath(new URL('../../dist/server/subscribers.js', import.meta.url));

export type BuiltServer = {
  url: string;
  process: ChildProcess;
  /** Everything it printed so far. */
  output: string[];
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
  /** Asks it to stop, and gives its exit code. */
  stop: () => Promise<number | null>;
};

/** Starts the built server on a free port, with these variables and no others. */
export async function startBuiltServer(variables: Record<string, string>): Promise<BuiltServer> {
  const child = spawn(process.execPath, [...SERVER_FLAGS, server], {
    env: { PORT: '0', HOST: '127.0.0.1', TRUSTED_PROXY_HEADER: 'X-Client', MAIL_HOURLY_CAP: '1000000', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(() => void child.kill('SIGKILL'));
  const output: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const address = /^Site: +(\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
    void exited.then(() => reject(new Error('The server ended before it listened')));
  });
  return {
    url,
    process: child,
    output,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
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

/** Runs one of the owner's commands. */
export function runCommand(
  variables: Record<string, string>,
  ...words: string[]
): { code: number | null; output: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    env: variables,
    encoding: 'utf8',
  });
  return { code: status, output: stdout, errors: stderr };
}

let clients = 0;

/** A header that makes each request another visitor's, so that the rate limit does not meddle. */
export function anotherVisitor(): Record<string, string> {
  clients += 1;
  return { 'X-Client': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` };
}
