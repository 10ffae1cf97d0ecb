import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Finding } from '#launch-check/finding.ts';
import { SMALL_SITE } from '../built-sites.ts';
import { runProgram } from '../newsletter/owner-commands.ts';

const FILE = '../../src/launch-check/launch-check.ts';

/** Of an agency that has kept an address of the demonstration, and has no photograph. */
const VARIABLES = { ...SMALL_SITE.env, CONTENT_DIR: SMALL_SITE.content, OUT_DIR: SMALL_SITE.build };

test('a remainder of the demonstration is found: each finding says where, what and what to do, and the command fails', () => {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(new URL(FILE, import.meta.url))], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...VARIABLES },
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /content\/agency\.yaml:\d+:\d+ email\n {2}“hello@larkfield\.example” is the demonstration’s\n {2}→ /,
  );
  expect(stdout).toMatch(/\n\d+ findings\n$/);
});

test('for other programs it says the same as JSON', async () => {
  const { code, output } = await runProgram(FILE, ['--json'], VARIABLES);
  const { findings } = JSON.parse(output) as { findings: Finding[] };
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ problem: '“hello@larkfield.example” is the demonstration’s' }),
  );
  expect(findings.map(({ where }) => where)).toContainEqual(expect.stringMatching(/content\/portrait\.jpg$/));
});

test('an address that is not one is refused', async () => {
  const errors = expect.stringContaining('Expected an address that begins with https://');
  expect(await runProgram(FILE, ['www.example.org'], VARIABLES)).toMatchObject({ code: 2, errors });
});
