/**
 * `npm run stress:updates`: an update to 2,000 people amid 50 `kill -9` on SQLite and 20 of two servers on
 * PostgreSQL, restarts, pauses, a PostgreSQL that goes away.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'newsletter', 'test/newsletter/update-faults.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, STRESS: 'full' } },
);
process.exitCode = status ?? 1;
