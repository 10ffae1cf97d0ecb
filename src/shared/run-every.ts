/**
 * Runs some work at once and after each interval, never twice at a time: while it works, a run is left out, so that none
 * queue up behind a slow one.
 * @param work never rejects
 * @returns stops it, and waits for the work in progress
 */
export function runEvery(intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let inFlight: Promise<void> | undefined;
  const run = () => {
    inFlight ??= work().finally(() => (inFlight = undefined));
  };
  run();
  const timer = setInterval(run, intervalMs);
  return async () => {
    clearInterval(timer);
    await inFlight;
  };
}
