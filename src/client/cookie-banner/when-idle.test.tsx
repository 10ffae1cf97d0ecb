import { afterEach, expect, test, vi } from 'vitest';
import { whenIdle } from './when-idle.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('waits until a prerendered page is activated', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (task: () => void) => task());
  let prerendering = true;
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('complete');
  Object.defineProperty(document, 'prerendering', { get: () => prerendering });
  const task = vi.fn<() => void>();
  void whenIdle(task);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(task).not.toHaveBeenCalled();
  prerendering = false;
  document.dispatchEvent(new Event('prerenderingchange'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(task).toHaveBeenCalledOnce();
});
