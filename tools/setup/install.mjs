/** What must be there before anything runs. Plain JavaScript: it runs on whatever Node the machine has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

/**
 * Installs what package-lock.json names, unless it is there.
 * @param {string} folder the project's, or that of a package of its own in it
 */
export function installIfMissing(folder) {
  if (isInstalled(folder)) return;
  console.log('Installing what is missing …');
  // Warnings of the machine's own Node say nothing: the project brings the one it runs on.
  const npm = npmCommand();
  run(npm.command, [...npm.args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  // Where the package `node` took its program from: a second copy, and 67 MB of headers that nothing here needs.
  rmSync(join(folder, 'node_modules/node/node_modules'), { recursive: true, force: true });
}

/**
 * Whether what npm noted as it installed is what package-lock.json names; other systems' packages need not be there.
 * @param {string} folder
 */
function isInstalled(folder) {
  const noted = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(noted)) return false;
  const packagesIn = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesIn(noted);
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || optional || devOptional || installed[path]?.version === version,
  );
}

/**
 * How npm is started: through the file that runs this script, where npm itself does. Windows' `npm.cmd` cannot be
 * started without a shell.
 * @param {{ platform: string, execPath: string, env: Record<string, string | undefined> }} machine
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand({ platform, execPath, env } = process) {
  const beside = win32.join(win32.dirname(execPath), 'node_modules/npm/bin/npm-cli.js');
  const script = env.npm_execpath ?? (platform === 'win32' ? beside : undefined);
  return script?.endsWith('.js') ? { command: execPath, args: [script] } : { command: 'npm', args: [] };
}

/**
 * The Node that package.json pins: the program itself, since `node_modules/.bin/node` is a shim on Windows.
 * @param {string} root the project's folder
 * @param {string} platform
 */
export function pinnedNode(root, platform = process.platform) {
  return platform === 'win32'
    ? win32.join(root, 'node_modules/node/bin/node.exe')
    : posix.join(root, 'node_modules/node/bin/node');
}

/**
 * Runs a command to its end; a failure ends this process with the same code.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
export function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
