/** Installs packages. Plain JavaScript for any Node: it runs before anything is installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Installs the packages in package-lock.json, unless everything that this machine needs is already installed.
 * @param {string} folder absolute path of a folder with a package-lock.json
 * @throws {Error} with a message that says what to do
 */
export function install(folder) {
  if (findMissing(folder).length === 0) return;
  console.log('Installing what is missing …');
  // The site runs on its own Node, so npm's warnings about the machine's Node are hidden. npm on Windows needs a shell.
  const { status, signal, stderr } = spawnSync(
    'npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error ' +
      '--fetch-retry-maxtimeout=15000',
    { cwd: folder, shell: true, stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(explainExit(status, signal) ?? explainNpm(stderr, folder));
  const missing = findMissing(folder).map((path) => path.slice('node_modules/'.length));
  if (missing.length === 0) return;
  throw new Error(
    `npm left out what this machine needs: ${missing.join(', ')}. If your registry is a mirror, it lacks optional ` +
      'packages: ask for them, or choose another registry with npm config set registry.',
  );
}

/**
 * Explains why a process ended if the system killed it.
 * @param {number | null} status its exit code; a shell reports a signal as 128 plus its number
 * @param {string | null} signal the signal that ended it
 * @returns a sentence that says what to do; undefined if the process exited by itself
 */
export function explainExit(status, signal) {
  const isShortOfMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || status === 137 || status === 134;
  if (!isShortOfMemory) return undefined;
  return (
    'The system killed the program, most likely because memory ran out. Close other programs, or add swap space as in ' +
    'docs/owner/when-something-breaks.md (A small server).'
  );
}

/**
 * Finds the packages that are missing or have the wrong version. Those for other systems aren't needed: a folder that
 * was copied from another machine has that machine's packages instead of this one's.
 * @returns their paths in the folder
 */
function findMissing(/** @type {string} */ folder) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  const noted = 'node_modules/.package-lock.json';
  const installed = existsSync(join(folder, noted)) ? read(noted) : {};
  return Object.entries(read('package-lock.json')).flatMap(([path, wanted]) => {
    if (path === '' || !isNeeded(path, wanted)) return [];
    const isThere = installed[path]?.version === wanted.version && existsSync(join(folder, path, 'package.json'));
    return isThere ? [] : [path];
  });
}

/** @typedef {{ version: string, optional?: boolean, devOptional?: boolean, os?: string[] | string }} Wanted */

function isNeeded(
  /** @type {string} */ path,
  /** @type {Wanted & { cpu?: string[] | string, libc?: string[] | string }} */ wanted,
) {
  const { optional, devOptional, os, cpu, libc } = wanted;
  if (!optional && !devOptional) return true;
  // Vite works without fsevents, and the machine's own Node may be new enough.
  if (path === 'node_modules/fsevents') return false;
  const isNode = /^node_modules\/node-(bin-)?(linux|darwin|win)-/.test(path);
  if (isNode && process.versions.node.localeCompare(wanted.version, 'en', { numeric: true }) >= 0) return false;
  if (os === undefined || ![os].flat().includes(process.platform)) return false;
  if (cpu !== undefined && ![cpu].flat().includes(process.arch)) return false;
  return libc === undefined || [libc].flat().includes(hasGlibc() ? 'glibc' : 'musl');
}

/** Alpine has a different C library, musl. */
function hasGlibc() {
  // Otherwise creating the report looks up host names.
  Object.assign(process.report, { excludeNetwork: true });
  return 'glibcVersionRuntime' in /** @type {{ header: object }} */ (process.report.getReport()).header;
}

/** @returns {string} a sentence that explains what npm printed; npm's own output if we don't recognise it */
function explainNpm(/** @type {string} */ printed, /** @type {string} */ folder) {
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(printed));
  return known ? known[1](folder) : `${printed}\nnpm couldn't install the packages. Its message above says why.`;
}

/** @type {[RegExp, (folder: string) => string][]} */
const EXPLANATIONS = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|CERT_(UNTRUSTED|SIGNATURE)/,
    () =>
      "Your network has a certificate authority of its own, which Node doesn't know. Set NODE_EXTRA_CA_CERTS to the path " +
      'of its certificate (.pem), or NODE_USE_SYSTEM_CA=1 with Node 22.19 or newer, and try again.',
  ],
  [/ENOSPC/, () => 'The disk is full: the packages take 700 MB. Free some space, and try again.'],
  [
    /EACCES|EPERM|EROFS/,
    (folder) =>
      `This user may not write to ${folder}. Change its owner${
        process.platform === 'win32' ? ', and close programs that use it' : `: sudo chown -R ${userInfo().username} .`
      }`,
  ],
  [/E40[13]\b/, () => "npm's registry rejects this user. If your company has its own, sign in with npm login."],
  [
    /E404|ETARGET|ENOVERSIONS/,
    () =>
      "npm's registry lacks a package in package-lock.json. If yours is a mirror, ask for the package, or choose another " +
      'registry with npm config set registry.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET/,
    () =>
      "npm's registry can't be reached, and packages are missing. Connect to the internet, set HTTPS_PROXY if your network " +
      'has a proxy, and try again.',
  ],
];
