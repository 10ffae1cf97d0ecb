import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ServerProcess = {
  url: string;
  process: ChildProcess;
  /** Every line it printed so far. */
  output: string[];
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
  /** Asks it to stop, and gives its exit code. */
  stop: () => Promise<number | null>;
};

/**
 * Starts a built server on a free port of this machine: the one way in which tests start it as a process.
 * @param build the folder of the build
 * @param variables its whole environment, but for where it listens
 * @throws {Error} when it ends before it listens
 */
export async function startServer(build: string, variables: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(build, 'server/main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', SETTINGS_FILE: '', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const output: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const address = /\bSite: +(\S+)$/.exec(line)?.[1];
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
