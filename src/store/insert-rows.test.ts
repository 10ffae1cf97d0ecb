import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { insertRows } from './insert-rows.ts';
import { openStore } from './open-store.ts';

test('rows whose columns come in another order than those before keep each value in its column', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'insert-rows-'));
  const store = await openStore({ databaseUrl: undefined, dataDir });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  await store.transaction((tx) => insertRows(store, tx, 'facts', [{ name: 'first', value: '1' }]));
  await store.transaction((tx) => insertRows(store, tx, 'facts', [{ value: '2', name: 'second' }]));
  expect(await store.db.selectFrom('facts').selectAll().orderBy('name').execute()).toEqual([
    { name: 'first', value: '1' },
    { name: 'second', value: '2' },
  ]);
});
