import { expect, test } from 'vitest';
import { npmCommand, pinnedNode } from './install.mjs';

test('npm is started through the script that runs this one, where npm itself does', () => {
  const env = { npm_execpath: String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npm-cli.js` };
  const execPath = String.raw`C:\Program Files\nodejs\node.exe`;
  expect(npmCommand({ platform: 'win32', execPath, env })).toEqual({ command: execPath, args: [env.npm_execpath] });
});

test('on Windows npm is the script beside Node, since npm.cmd does not start without a shell', () => {
  const { command, args } = npmCommand({ platform: 'win32', execPath: String.raw`C:\node\node.exe`, env: {} });
  expect(command).toBe(String.raw`C:\node\node.exe`);
  expect(args).toEqual([String.raw`C:\node\node_modules\npm\bin\npm-cli.js`]);
});

test('elsewhere, and under another package manager, npm is a command', () => {
  const machine = { platform: 'linux', execPath: '/usr/bin/node' };
  expect(npmCommand({ ...machine, env: {} })).toEqual({ command: 'npm', args: [] });
  expect(npmCommand({ ...machine, env: { npm_execpath: '/usr/bin/other' } })).toEqual({ command: 'npm', args: [] });
});

test('the pinned Node is the program, not the shim that Windows has in its place', () => {
  expect(pinnedNode(String.raw`C:\site`, 'win32')).toBe(String.raw`C:\site\node_modules\node\bin\node.exe`);
  expect(pinnedNode('/site', 'linux')).toBe('/site/node_modules/node/bin/node');
});
