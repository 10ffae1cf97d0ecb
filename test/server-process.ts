import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ServerProcess = {
  url: string;
  process: ChildProcess;
  /** Every line that it has printed so far. */
  output: string[];
  /** Kills it. */
  kill: () => Promise<void>;
  /** Asks it to stop. @returns its exit code */
  stop: () => Promise<number | null>;
};

/**
 * Starts a built server as a process on a free port on this machine.
 * @param build the build folder
 * @param variables its whole environment, except its host and port
 * @throws {Error} if it exits before it listens
 */
export function startServer(build: string, variables: Record<string, string>): Promise<ServerProcess> {
  return startProgram([join(build, 'server/main.js')], { PORT: '0', HOST: '127.0.0.1', ...variables });
}

/** Starts it as `npm run desk` does: it listens on localhost. */
export function startLocalDesk(build: string, variables: Record<string, string>): Promise<ServerProcess> {
  return startProgram([join(build, 'server/desk.js'), '--no-open'], { PORT: '0', ...variables });
}

/**
 * Starts a program that prints its URL.
 * @param args its file and its arguments
 */
export async function startProgram(args: string[], variables: Record<string, string>): Promise<ServerProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_COMPILE_CACHE, SETTINGS_FILE: '', ...variables },
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
    void exited.then(() => reject(new Error('The server exited before it printed its URL')));
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  return {
    url,
    process: child,
    output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
