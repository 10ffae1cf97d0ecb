import { expect, test, vi } from 'vitest';
import type { Site } from '#layout/page.ts';
import { createOutcomeRenderer } from './newsletter-routes.tsx';

test('retries rendering a page after a failure', async () => {
  const render = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('Memory')).mockResolvedValue('page');
  const renderOutcome = createOutcomeRenderer({} as Site, render);
  await expect(renderOutcome({ kind: 'badLink' })).rejects.toThrow('Memory');
  expect(await renderOutcome({ kind: 'badLink' })).toBe('page');
  expect(await renderOutcome({ kind: 'badLink' })).toBe('page');
  expect(render).toHaveBeenCalledTimes(2);
});

test('doesn’t cache a page that is about one person', async () => {
  const render = vi.fn<() => Promise<string>>().mockResolvedValue('page');
  const renderOutcome = createOutcomeRenderer({} as Site, render);
  for (const address of ['a•••@example.org', 'a•••@example.org']) await renderOutcome({ kind: 'unsubscribe', address });
  expect(render).toHaveBeenCalledTimes(2);
});
