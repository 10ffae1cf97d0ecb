import { expect, test, vi } from 'vitest';
import type { Site } from '#layout/page.ts';
import { createOutcomeRenderer } from './newsletter-routes.tsx';

test('renders a page again that couldn’t be rendered once', async () => {
  const render = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('Memory')).mockResolvedValue('page');
  const renderOutcome = createOutcomeRenderer({} as Site, render);
  await expect(renderOutcome({ kind: 'badLink' })).rejects.toThrow('Memory');
  expect(await renderOutcome({ kind: 'badLink' })).toBe('page');
  expect(await renderOutcome({ kind: 'badLink' })).toBe('page');
  expect(render).toHaveBeenCalledTimes(2);
});

test('doesn’t keep a page for one person for others', async () => {
  const render = vi.fn<() => Promise<string>>().mockResolvedValue('page');
  const renderOutcome = createOutcomeRenderer({} as Site, render);
  for (const address of ['a•••@example.org', 'a•••@example.org']) await renderOutcome({ kind: 'unsubscribe', address });
  expect(render).toHaveBeenCalledTimes(2);
});
