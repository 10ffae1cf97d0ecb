import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildIsFresh } from '../../tools/setup/build-stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tests of faults run the built server: it must be built from what is tested. */
export function setup(): void {
  if (buildIsFresh(root)) return;
  const build = spawnSync(process.execPath, ['tools/build/build.ts'], { cwd: root, stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The build failed');
}
