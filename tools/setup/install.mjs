/** Installs what package-lock.json names, if it is not installed already. Runs on whatever Node the machine has. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} root the project's folder */
export function installIfMissing(root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing what is missing …');
  // Warnings of the machine's own Node say nothing: the project brings the one it runs on.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], root);
  writeFileSync(stamp, lock);
}

/** The Node that package.json pins. */
export function pinnedNode(root) {
  return join(root, 'node_modules/.bin/node');
}

/** Runs a command to its end; a failure ends this process with the same code. */
export function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
