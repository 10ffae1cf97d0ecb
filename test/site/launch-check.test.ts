import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Finding } from '#owner/launch-check/finding.ts';
import { SMALL_SITE } from '../built-sites.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a remainder of the demonstration is found: each finding says where, what and what to do, and the command fails', () => {
  const { status, stdout } = launchCheck();
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /content\/agency\.yaml:\d+:\d+ email\n {2}“hello@larkfield\.example” is the demonstration’s\n {2}→ /,
  );
  expect(stdout).toMatch(/\n\d+ findings\n$/);
});

test('for other programs it says the same as JSON', () => {
  const { status, stdout } = launchCheck('--json');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(status).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ problem: '“hello@larkfield.example” is the demonstration’s' }),
  );
  expect(findings.map(({ where }) => where)).toContainEqual(expect.stringMatching(/content\/portrait\.jpg$/));
});

test('an address that is not one is refused', () => {
  const { status, stderr } = launchCheck('www.example.org');
  expect(status).toBe(2);
  expect(stderr).toContain('Expected an address that begins with https://');
});

/** Of an agency that has kept an address of the demonstration, and has no photograph. */
function launchCheck(...args: string[]) {
  return spawnSync(process.execPath, ['src/owner/launch-check/launch-check.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...SMALL_SITE.env, CONTENT_DIR: SMALL_SITE.content, OUT_DIR: SMALL_SITE.build },
  });
}
