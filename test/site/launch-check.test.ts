import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Finding } from '../../tools/check/finding.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the demonstration is not ready: each finding says where, what and what to do, and the command fails', () => {
  const { status, stdout } = launchCheck();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^✗ content\/agency\.yaml:\d+:\d+\n {2}hello@larkfield\.example is a placeholder\n {2}→ /);
  expect(stdout).toMatch(/\n\d+ findings\n$/);
});

test('for other programs it says the same as JSON', () => {
  const { status, stdout } = launchCheck('--json');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(status).toBe(1);
  expect(findings).toContainEqual(expect.objectContaining({ problem: '00000000 is a placeholder' }));
  expect(findings.map(({ where }) => where)).toContain('content/portrait.jpg');
});

test('an address that is not one is refused', () => {
  const { status, stderr } = launchCheck('www.example.org');
  expect(status).toBe(1);
  expect(stderr).toContain('expected an address that begins with https://');
});

function launchCheck(...args: string[]) {
  return spawnSync(process.execPath, ['tools/check/launch-check.ts', ...args], { cwd: root, encoding: 'utf8' });
}
