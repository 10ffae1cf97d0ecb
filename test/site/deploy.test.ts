import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AGENCIES } from '../agencies/agencies.ts';
import { PUBLIC_SITE } from '../built-sites.ts';

const NGINX = '/usr/sbin/nginx';
const CERTIFICATE = fileURLToPath(new URL('../localhost.pem', import.meta.url));

if (!existsSync(NGINX)) process.stderr.write('NOT RUN: no nginx here takes what deploy.sh puts on a server.\n');

/** Two releases, whose pages and scripts differ. */
const [FIRST, SECOND] = [PUBLIC_SITE, AGENCIES[0]!.build];

/** Copies as rsync does with the options that deploy.sh gives it; what follows the server's name is a path here. */
const RSYNC = `#!${process.execPath}
const { cpSync, existsSync } = require('node:fs');
const { basename } = require('node:path');
const words = process.argv.slice(2);
const [from, to] = words.slice(-2).map((path) => path.replace(/^root@server:/, ''));
const excluded = words.filter((_, at) => words[at - 1] === '--exclude');
if (words.includes('--ignore-existing') && existsSync(to)) process.exit(0);
cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: (file) => !excluded.includes(basename(file)) });
`;

/** A server in a folder: its paths begin there, and its programs say what they were asked. */
let server: string;

beforeEach(() => {
  server = mkdtempSync(join(tmpdir(), 'deploy-'));
  onTestFinished(() => rmSync(server, { recursive: true }));
  mkdirSync(join(server, 'etc/nginx/conf.d'), { recursive: true });
  mkdirSync(join(server, 'bin'));
  program('ssh', '#!/bin/sh\n[ "$1" = root@server ] || exit 255\nshift\nexec sh -c "$*"\n');
  program('rsync', RSYNC);
  const conf = `pid ${server}/pid;\nevents {}\nhttp { include ${server}/etc/nginx/conf.d/*.conf; }\n`;
  writeFileSync(join(server, 'etc/nginx/nginx.conf'), conf);
  const real = existsSync(NGINX) ? `exec ${NGINX} -c ${server}/etc/nginx/nginx.conf -e stderr "$@"` : 'exit 0';
  program('nginx', `#!/bin/sh\necho "$*" >> ${server}/asked\ncase $1 in\n-s) exit 0 ;;\n*) ${real} ;;\nesac\n`);
});

test.skipIf(!existsSync(NGINX))(
  'nginx takes what the script puts on the server, and is reloaded after it has looked',
  () => {
    expect(deploy(FIRST)).toMatchObject({ status: 0 });
    expect(readFileSync(join(server, 'asked'), 'utf8')).toMatch(/-t\n-s reload\n$/);
  },
);

test('a release is put beside the one before, and taken into use', () => {
  expect(deploy(FIRST)).toMatchObject({ status: 0 });
  expect(inUse()).toBe(releaseOf(FIRST));
  expect(deploy(SECOND)).toMatchObject({ status: 0 });
  expect(inUse()).toBe(releaseOf(SECOND));
  for (const build of [FIRST, SECOND]) {
    expect(existsSync(join(folder(), 'releases', releaseOf(build), 'index.html'))).toBe(true);
    expect(scriptsOf(build).filter((file) => !existsSync(join(folder(), 'assets', file)))).toEqual([]);
  }
  expect(readdirSync(join(folder(), 'releases', releaseOf(FIRST)))).not.toContain('_headers');
});

test("certbot's lines stay, and say HTTP/2 once however often the site is deployed", () => {
  deploy(FIRST);
  const conf = join(server, 'etc/nginx/conf.d/www.example.org.conf');
  const lines = `listen 127.0.0.1:8443 ssl; # managed by Certbot\n    ssl_certificate ${CERTIFICATE};\n    ssl_certificate_key ${CERTIFICATE};\n`;
  writeFileSync(conf, readFileSync(conf, 'utf8').replace(/\}\n$/, `    ${lines}}\n`));
  for (const build of [SECOND, FIRST]) expect(deploy(build)).toMatchObject({ status: 0 });
  expect(readFileSync(conf, 'utf8')).toContain('ssl_certificate_key');
  const said = `${readFileSync(conf, 'utf8')}${readFileSync(join(folder(), 'extras.conf'), 'utf8')}`;
  expect(said.match(/http2/g)).toHaveLength(1);
});

test.each([
  ['1.22.1', []],
  ['1.25.1', ['http2 on;']],
  ['1.28.0', ['keepalive_min_timeout 5s;', 'http2 on;']],
])('nginx %s is asked for what it knows', (version, lines) => {
  program('nginx', `#!/bin/sh\n[ "$1" != -v ] || echo 'nginx version: nginx/${version} (Ubuntu)' >&2\n`);
  expect(deploy(FIRST)).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder(), 'extras.conf'), 'utf8').split('\n').filter(Boolean)).toEqual(lines);
});

describe('scripts and styles', () => {
  test('of the release before stay, however long ago it was built', () => {
    deploy(FIRST);
    age(FIRST);
    deploy(SECOND);
    expect(scriptsOf(FIRST).filter((file) => !existsSync(join(folder(), 'assets', file)))).toEqual([]);
    expect(existsSync(join(folder(), 'releases', releaseOf(FIRST)))).toBe(true);
  });

  test('of a build that is put on the server late stay', () => {
    deploy(FIRST, { isOld: true });
    expect(scriptsOf(FIRST).filter((file) => !existsSync(join(folder(), 'assets', file)))).toEqual([]);
    expect(existsSync(join(folder(), 'releases', releaseOf(FIRST), 'index.html'))).toBe(true);
  });

  test('that no release of 30 days names are removed', () => {
    deploy(FIRST);
    deploy(SECOND);
    age(FIRST);
    deploy(SECOND);
    const own = scriptsOf(FIRST).filter((file) => !scriptsOf(SECOND).includes(file));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((file) => existsSync(join(folder(), 'assets', file)))).toEqual([]);
    expect(existsSync(join(folder(), 'releases', releaseOf(FIRST)))).toBe(false);
    expect(scriptsOf(SECOND).filter((file) => !existsSync(join(folder(), 'assets', file)))).toEqual([]);
  });
});

test('what nginx refuses is not taken into use, and the script says so', () => {
  deploy(FIRST);
  program('nginx', `#!/bin/sh\necho "$*" >> ${server}/asked\ncase $1 in\n-t) echo 'emerg' >&2; exit 1 ;;\nesac\n`);
  writeFileSync(join(server, 'asked'), '');
  expect(deploy(SECOND)).toMatchObject({ status: 1, stderr: expect.stringContaining('emerg') });
  expect(inUse()).toBe(releaseOf(FIRST));
  expect(readFileSync(join(server, 'asked'), 'utf8')).not.toContain('reload');
});

test('without a server it says what it expected', () => {
  const { status, stderr } = spawnSync('sh', [join(FIRST, 'hosting/nginx/deploy.sh')], { encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stderr).toContain('expected the server, such as root@www.example.org');
});

function program(name: string, text: string): void {
  writeFileSync(join(server, 'bin', name), text);
  chmodSync(join(server, 'bin', name), 0o755);
}

/** Runs the script of a build on this server: its paths are put below the folder, and its port is one that is free to all. */
function deploy(build: string, { isOld = false } = {}): { status: number | null; stderr: string } {
  const copy = join(server, 'build');
  rmSync(copy, { recursive: true, force: true });
  for (const part of ['site', 'hosting']) cpSync(join(build, part), join(copy, part), { recursive: true });
  const nginx = join(copy, 'hosting/nginx');
  for (const file of ['deploy.sh', 'site.conf', 'release/server.conf']) {
    const text = readFileSync(join(nginx, file), 'utf8');
    const placed = text
      .replaceAll(/\/(var\/www|etc\/nginx)\//g, `${server}/$1/`)
      .replace('listen 80;', 'listen 127.0.0.1:8080;');
    writeFileSync(join(nginx, file), placed.replace('listen [::]:80;', ''));
  }
  if (isOld) for (const file of scriptsOf(build)) makeOld(join(copy, 'site/assets', file));
  const env = { ...process.env, PATH: `${join(server, 'bin')}:${process.env.PATH}` };
  return spawnSync('sh', [join(nginx, 'deploy.sh'), 'root@server'], { env, encoding: 'utf8' });
}

/** Makes everything of a release on the server older than 30 days. */
function age(build: string): void {
  const release = join(folder(), 'releases', releaseOf(build));
  for (const file of scriptsOf(build)) makeOld(join(folder(), 'assets', file));
  for (const path of [release, `${release}.conf`]) makeOld(path);
}

function makeOld(path: string): void {
  const then = Date.now() / 1000 - 40 * 24 * 3600;
  utimesSync(path, then, then);
}

function folder(): string {
  return join(server, 'var/www/www.example.org');
}

function inUse(): string {
  return /^releases\/(\w+)\.conf$/.exec(readlinkSync(join(folder(), 'current')))![1]!;
}

function scriptsOf(build: string): string[] {
  return readdirSync(join(build, 'site/assets'));
}

function releaseOf(build: string): string {
  const conf = readFileSync(join(build, 'hosting/nginx/release/server.conf'), 'utf8');
  return /releases\/(\w+);/.exec(conf)![1]!;
}
