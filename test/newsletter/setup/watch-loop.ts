import { setTimeout as pause } from 'node:timers/promises';

/**
 * Measures the longest time for which the event loop is blocked, in milliseconds of CPU time, so that other work on the
 * machine doesn't count.
 * @returns a function that ends the measurement and returns that time
 */
export function watchLoop(): () => Promise<number> {
  const watch = { longest: 0, isDone: false };
  const turns = (async () => {
    for (let before = process.threadCpuUsage(); !watch.isDone; before = process.threadCpuUsage()) {
      await pause(1);
      const { user, system } = process.threadCpuUsage(before);
      watch.longest = Math.max(watch.longest, (user + system) / 1000);
    }
  })();
  return async () => {
    watch.isDone = true;
    await turns;
    return watch.longest;
  };
}
