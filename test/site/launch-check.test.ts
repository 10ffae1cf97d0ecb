import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '#owner/launch-check/finding.ts';
import { TEST_CONTENT } from '../test-content.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

/** Content that still has an address and a number of the demonstration, and no photograph. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'launch-check-'));
  const content = join(folder, 'content');
  cpSync(TEST_CONTENT, content, { recursive: true, filter: (file) => !file.endsWith('portrait.jpg') });
  const agency = join(content, 'agency.yaml');
  const text = readFileSync(agency, 'utf8');
  writeFileSync(
    agency,
    text.replace('office@quillharbour.test', 'hello@larkfield.example').replace('SC999999', '"00000000"'),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

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
  expect(findings).toContainEqual(expect.objectContaining({ problem: '“00000000” is the demonstration’s' }));
  expect(findings.map(({ where }) => where)).toContainEqual(expect.stringMatching(/content\/portrait\.jpg$/));
});

test('an address that is not one is refused', () => {
  const { status, stderr } = launchCheck('www.example.org');
  expect(status).toBe(2);
  expect(stderr).toContain('Expected an address that begins with https://');
});

function launchCheck(...args: string[]) {
  return spawnSync(process.execPath, ['src/owner/launch-check/launch-check.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CONTENT_DIR: join(folder, 'content'), OUT_DIR: join(folder, 'build') },
  });
}
