import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '#settings/environment.ts';
import { RECORD_BEFORE_STOP_MS, STOP_SENDING_MS } from '#newsletter/deliveries/worker.ts';
import { isUnmet } from '../../test/machine-needs.ts';
import { makeFolder } from '../../test/make-folder.ts';

const root = join(import.meta.dirname, '../..');
const LONGEST_STOP_S = (STOP_SENDING_MS + RECORD_BEFORE_STOP_MS + 15_000) / 1000;

const isComposeMissing = spawnSync('docker', ['compose', 'version']).status !== 0;

describe.skipIf(isUnmet('Docker Compose', isComposeMissing))('compose.yaml', () => {
  const { status, stdout, stderr } = spawnSync(
    'docker',
    ['compose', '--env-file', devNull, 'config', '--format', 'json'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, DOMAIN: 'example.org', POSTGRES_PASSWORD: 'secret' } },
  );
  const read = () => JSON.parse(stdout).services;

  test('is valid for Compose', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('publishes only Caddy’s ports outside the machine', () => {
    const published = Object.entries<{ ports?: { host_ip?: string }[] }>(read()).flatMap(([name, { ports = [] }]) =>
      ports.some(({ host_ip }) => host_ip !== '127.0.0.1') ? [name] : [],
    );
    expect(published).toEqual(['caddy']);
  });

  test('gives the server longer to stop than it takes', () => {
    const [, minutes = '0', seconds] = /^(?:(\d+)m)?(\d+)s$/.exec(read().site.stop_grace_period)!;
    expect(Number(minutes) * 60 + Number(seconds)).toBeGreaterThan(LONGEST_STOP_S);
  });
});

test('passes on every setting of .env that Compose doesn’t set itself', () => {
  const { site } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')).services;
  const passed = Object.keys({ ...site.environment, ...site.build.args });
  const own = ['PORT', 'HOST', 'DATA_DIR', 'PRIVATE_DIR', 'NEWSLETTER_ENDPOINT', 'DOMAIN', 'POSTGRES_PASSWORD'];
  expect(VARIABLES.filter((name) => !passed.includes(name))).toEqual(own);
});

const unit = readFileSync(join(root, 'site@.service'), 'utf8');

test('gives the server longer to stop under systemd than it takes', () => {
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(LONGEST_STOP_S);
});

const isSystemdMissing = spawnSync('systemd-analyze', ['--version']).status !== 0;

test.skipIf(isUnmet('systemd', isSystemdMissing))('has a valid systemd unit', () => {
  const file = join(makeFolder(), 'site@root.service');
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
