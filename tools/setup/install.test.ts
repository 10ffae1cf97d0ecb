import { expect, test } from 'vitest';
import { pinnedNode } from './install.mjs';

test('the pinned Node is the program, not the shim that Windows has in its place', () => {
  expect(pinnedNode('/site', 'win32')).toMatch(/node_modules.node.bin.node\.exe$/);
  expect(pinnedNode('/site', 'linux')).toMatch(/node_modules.node.bin.node$/);
});
