import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Latencies are in milliseconds. */
export type Load = { perSecond: number; p50: number; p99: number; answered: number };

/**
 * Loads an address with wrk for some seconds.
 * @param args more of wrk's own arguments before the address, and what a script of its is given behind it
 * @throws {Error} where any answer is not a success
 */
export function load(url: string, connections: number, seconds: number, args: string[], given: string[] = []): Load {
  const command = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...args, url, '--', ...given];
  const report = execFileSync('wrk', command, { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1]);
  const percentile = (share: number) => {
    const [, latency, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(report) ?? [];
    return Number(latency) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  };
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: percentile(50),
    p99: percentile(99),
    answered: number(/(\d+) requests in/),
  };
}

/** Posts sign-ups for three seconds, each of another person, whose address begins with `prefix`. */
export function postSignUps(url: string, connections: number, prefix: string, decoy = ''): Load {
  const script = fileURLToPath(new URL('sign-up.lua', import.meta.url));
  return load(url, connections, 3, ['-s', script], [prefix, decoy]);
}
