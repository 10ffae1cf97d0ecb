import { expect, test } from 'vitest';
import { TEST_SITE } from '../built-sites.ts';
import { runFuzz } from '../stress/fuzz.ts';
import { runKills } from '../stress/kills.ts';

// `npm run stress` does the same a thousand times, and with a hundred thousand inputs.

test('killed amid sign-ups, it loses none that it acknowledged and repeats no mail that it had recorded', async () => {
  const figures = await runKills({ build: TEST_SITE, kills: 12, seed: 1 });
  expect(figures).toMatchObject({ kills: 12, lost: 0, unmailed: 0, unexplained: [] });
  expect(figures.acknowledged).toBeGreaterThan(12);
}, 120_000);

test('random requests get no answer of 5xx and leave no row that breaks a rule', async () => {
  const { statuses, rows, failures, brokenRows } = await runFuzz({ build: TEST_SITE, inputs: 2000, seed: 1 });
  expect(failures).toEqual([]);
  expect(brokenRows).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(100);
  expect(statuses[400]).toBeGreaterThan(100);
  expect(rows).toBeGreaterThan(100);
});
