import { readFileSync } from 'node:fs';
import { median } from 'd3-array';
import { type Running, startServer } from './server.ts';

/** A median and the interval that has it with a certainty of 95%. */
export type Interval = { middle: number; low: number; high: number };

/**
 * What counting visits costs. Each pair is a server that counts and one that does not, both started anew, since two
 * processes of one program differ by more than the counter; within it they take turns, A B B A, so that a machine that
 * slows down does so for both. The first of a pair changes.
 * @param ask loads a server for a second. @returns how many requests it answered
 * @returns of counting to not counting: requests a second, and the server's processor time for a request
 */
export async function measureCounting(pairs: number, ask: (url: string) => number) {
  const requests: number[] = [];
  const processor: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    await using counting = await startServer();
    await using silent = await startServer(undefined, { COUNT_VISITS: 'false' });
    const taken = new Map([counting, silent].map((server) => [server, { answered: 0, ticks: 0 }]));
    const [a, b] = pair % 2 === 0 ? [counting, silent] : [silent, counting];
    for (const { url } of [a, b]) ask(url);
    for (const server of [a, b, b, a]) {
      const before = ticksOf(server);
      const sums = taken.get(server)!;
      sums.answered += ask(server.url);
      sums.ticks += ticksOf(server) - before;
    }
    const [counted, uncounted] = [taken.get(counting)!, taken.get(silent)!];
    requests.push(counted.answered / uncounted.answered);
    processor.push(counted.ticks / counted.answered / (uncounted.ticks / uncounted.answered));
  }
  return { requests: interval(requests), processor: interval(processor) };
}

/** Processor time of a process so far: fields 14 and 15 of /proc/PID/stat, two behind the name's bracket. */
function ticksOf({ pid }: Running): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** The median with the order statistics around it that the sign test gives, by its normal approximation. */
function interval(values: number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const beyond = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return { middle: median(sorted)!, low: sorted[beyond]!, high: sorted.at(-1 - beyond)! };
}
