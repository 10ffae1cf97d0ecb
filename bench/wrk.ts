import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Loads an address with wrk for some seconds.
 * @param args more of wrk's own arguments before the address, and what a script of its is given behind it
 * @returns requests a second
 * @throws {Error} where any answer is not a success
 */
export async function load(url: string, connections: number, seconds: number, args: string[], given: string[] = []) {
  const command = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', ...args, url, '--', ...given];
  const { stdout: report } = await promisify(execFile)('wrk', command);
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]);
}

/** Posts sign-ups for three seconds, each of another person. @returns posts a second */
export function postSignUps(url: string, connections: number, person = 'person', decoy = ''): Promise<number> {
  const script = fileURLToPath(new URL('sign-up.lua', import.meta.url));
  return load(url, connections, 3, ['-s', script], [person, decoy]);
}
