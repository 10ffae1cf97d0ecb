/**
 * Runs some work at once and after each interval, never twice at a time.
 * @param work never rejects
 * @returns stops it, and waits for the work in progress
 */
export function runEvery(intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let inFlight = work();
  const timer = setInterval(() => {
    inFlight = inFlight.then(work);
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await inFlight;
  };
}
