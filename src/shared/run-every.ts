/**
 * Runs some work now and after each interval, but never twice at a time: while it is running, further runs are skipped,
 * so that none queue up behind a slow one.
 * @param work never rejects
 * @returns a function that stops it and waits for the work in progress
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
