import { execFileSync } from 'node:child_process';

export type Load = { perSecond: number; p50: number; p99: number; answered: number };

/**
 * Loads an address with wrk for some seconds.
 * @param args more of wrk's own arguments before the address, and what a script of its is given behind it
 * @returns latencies in milliseconds
 * @throws {Error} where any answer is not a success
 */
export function load(
  url: string,
  of: { connections: number; seconds: number; args: string[]; given?: string[] },
): Load {
  const { connections, seconds, args, given = [] } = of;
  const command = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...args, url, '--', ...given];
  const report = execFileSync('wrk', command, { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(report);
  const percentile = (share: number) => {
    const [, latency, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(report) ?? [];
    return Number(latency) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  };
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(report) ?? [];
  const [, answered] = /(\d+) requests in/.exec(report) ?? [];
  return { perSecond: Number(perSecond), p50: percentile(50), p99: percentile(99), answered: Number(answered) };
}
