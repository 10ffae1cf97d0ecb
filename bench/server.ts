import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs';

/** What answers on this machine while something is measured. */
export type Running = { url: string; stop: () => Promise<void> };

/**
 * Starts a built server on a free port, with a data folder that goes when it stops.
 * @param build the folder with `site` and `server` in it
 * @param place where the data folder is made, so that it can be the disk that a server would use
 * @param variables more of its environment
 */
export async function startServer(
  build: string,
  place = tmpdir(),
  variables: Record<string, string> = {},
): Promise<Running & { pid: number; dataDir: string }> {
  const dataDir = await mkdtemp(join(place, 'bench-'));
  // The limit on sign-ups counts each of these visitors alone; the cap on mails stands as it does by default.
  const env = { DATA_DIR: dataDir, TRUSTED_PROXY_HEADER: 'X-Client', ...variables };
  const { child, url } = await start([...SERVER_FLAGS, join(build, 'server/main.js')], env);
  const stop = () => end(child, 'SIGTERM').then(() => rm(dataDir, { recursive: true }));
  return { url, pid: child.pid!, dataDir, stop };
}

/** A folder of static files on sirv, compressed where it holds compressed files; no headers beside its own. */
export async function serveStatic(folder: string): Promise<Running> {
  const { child, url } = await start([fileURLToPath(new URL('./sirv-server.ts', import.meta.url)), folder], {});
  return { url, stop: () => end(child, 'SIGTERM') };
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function start(args: string[], env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, args, {
    env: { PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /\bSite: +(\S+)$/.exec(line)?.[1];
      if (url) resolve({ child, url });
    });
    child.once('exit', () => reject(new Error('The server ended before it listened')));
  });
}

/** The middle of several numbers. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
