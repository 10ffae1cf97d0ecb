import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server on this machine, until it is disposed of. */
export type Running = AsyncDisposable & { url: string; pid: number };

const resolveInRoot = (path: string) => join(import.meta.dirname, '..', path);

/** The built site. */
export const BUILD = resolveInRoot('dist');

let lastPort = 28_417;

/** Creates a folder that is removed on disposal. It is next to the real data, on the disk that a server would use. */
export async function makeDataFolder() {
  await mkdir(resolveInRoot('data'), { recursive: true });
  return mkdtempDisposable(resolveInRoot('data/bench-'));
}

/**
 * Starts a built server with its own data folder.
 * @param build the folder with `site` and `server` in it
 * @param variables added to its environment
 */
export async function startServer(build = BUILD, variables: Record<string, string> = {}) {
  const folder = await makeDataFolder();
  // For the rate limit, each request counts as a different visitor's; the cap on emails is the default.
  const env = { DATA_DIR: folder.path, TRUSTED_PROXY_HEADER: 'X-Client', ...variables };
  const server = await start(process.execPath, [join(build, 'server/main.js')], env);
  const stop = () => server[Symbol.asyncDispose]().then(folder.remove);
  return { ...server, [Symbol.asyncDispose]: stop };
}

/** Serves a folder of static files with sirv, which uses the compressed files and sends only its own headers. */
export function serveStatic(folder: string): Promise<Running> {
  const sirv = resolveInRoot('bench/node_modules/sirv-cli/bin.js');
  return start(process.execPath, [sirv, folder, '--brotli', '--gzip', '--etag', '--quiet']);
}

/** Starts a program, and waits until it responds. */
async function start(command: string, args: string[], variables = {}, port = (lastPort += 1)): Promise<Running> {
  const url = `http://127.0.0.1:${port}`;
  const responds = async () => (await fetch(url).catch(() => undefined))?.ok;
  if (await responds()) throw new Error(`Another program is already running at ${url}`);
  const env = { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', SETTINGS_FILE: '', ...variables };
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  while (!(await responds())) {
    if (child.exitCode !== null) throw new Error(`${command} exited before it responded`);
    await pause(50);
  }
  const stop = async () => void (child.kill() && (await exited));
  return { url, pid: child.pid!, [Symbol.asyncDispose]: stop };
}
