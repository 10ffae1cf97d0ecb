import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { printList } from './print-list.ts';

test.each([
  ['JSON', true],
  ['lines', false],
])('doesn’t let a long list in %s pile up in memory if its reader is slow', async (_, json) => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(false);
  const isFull = vi.spyOn(process.stdout, 'writableNeedDrain', 'get').mockReturnValue(true);
  async function* batches() {
    yield ['first'];
    yield ['second'];
  }
  const done = printList(batches(), { json, toCells: (row) => [row], empty: '' });
  await nextTurn();
  expect(printed.mock.calls.join('')).not.toContain('second');
  isFull.mockReturnValue(false);
  process.stdout.emit('drain');
  await done;
  expect(printed.mock.calls.join('')).toMatch(/first[^]*second/);
});
