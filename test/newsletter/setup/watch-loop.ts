import { setTimeout as pause } from 'node:timers/promises';

/**
 * Measures how long the event loop is blocked at most, in milliseconds of CPU time, since other work of the machine
 * doesn't count.
 * @returns ends the measurement and gives the longest time
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
