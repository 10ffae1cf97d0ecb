import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runEvery } from './run-every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('skips runs while one is in progress, and runs again at the next interval', async () => {
  const slow = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>().mockReturnValueOnce(slow.promise).mockResolvedValue();
  const stop = runEvery(1000, work);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(1);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  await stop();
});
