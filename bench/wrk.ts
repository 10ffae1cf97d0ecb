import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Load-tests a URL with wrk for three seconds.
 * @param args extra arguments for wrk
 * @returns requests per second
 * @throws {Error} if a response isn't 2xx/3xx or a socket fails
 */
export async function load(url: string, connections: number, args: string[]) {
  const command = ['-t1', `-c${connections}`, '-d3s', '--timeout', '10s', ...args, url];
  const { stdout: report } = await promisify(execFile)('wrk', command);
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]);
}
