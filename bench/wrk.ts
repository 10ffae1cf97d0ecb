import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Loads a URL with wrk for three seconds.
 * @param args further arguments of wrk
 * @returns requests a second
 * @throws {Error} if any answer is not a success
 */
export async function load(url: string, connections: number, args: string[]) {
  const command = ['-t1', `-c${connections}`, '-d3s', '--timeout', '10s', ...args, url];
  const { stdout: report } = await promisify(execFile)('wrk', command);
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]);
}
