import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TEST_SITE } from '../built-sites.ts';

export type RunningDesk = {
  url: string;
  /** As it is printed, with its token. */
  address: string;
  process: ChildProcess;
  stop: () => Promise<number | null>;
};

/** Starts the built desk. @param variables its whole environment @param port by default a free one */
export async function startDesk(variables: Record<string, string>, port = '0'): Promise<RunningDesk> {
  const words = [join(TEST_SITE, 'server/desk.js'), '--no-open', '--port', port];
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, SETTINGS_FILE: '', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^Desk: +(\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void exited.then(() => reject(new Error('The desk ended before it showed its address')));
  });
  return {
    url: new URL(address).origin,
    address,
    process: child,
    stop: async () => {
      child.kill('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}
