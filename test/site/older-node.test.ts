import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { TEST_SITE } from '../built-sites.ts';
import { isUnmet } from '../machine-needs.ts';
import { makeFolder } from '../make-folder.ts';

/** A Node of this machine that is older than the project's. */
const older = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    const [major = Infinity] = /\d+/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
    return Number(major) < Number(process.versions.node.split('.')[0]);
  });

test.skipIf(isUnmet("Node older than the project's", older === undefined)).each([
  ['main', []],
  ['subscribers', ['list']],
  ['updates', ['list']],
  ['desk', ['--no-open']],
])('%s.js started with an older Node says in one sentence which it needs', (name, words: string[]) => {
  const { status, stdout, stderr } = spawnSync(older!, [join(TEST_SITE, `server/${name}.js`), ...words], {
    encoding: 'utf8',
    env: { DATA_DIR: makeFolder(), PORT: '0' },
    timeout: 10_000,
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^This needs Node \d+\.\d+ or newer, and this machine started it on Node [\d.]+: .*\n$/);
});
