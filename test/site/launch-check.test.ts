import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SMALL_SITE } from '../built-sites.ts';
import { runProgram } from '../newsletter/owner-commands.ts';

const FILE = '../../src/launch-check/launch-check.ts';

/** Content with an email address of the demonstration, and without a photograph. */
const VARIABLES = { ...SMALL_SITE.env, CONTENT_DIR: SMALL_SITE.content, OUT_DIR: SMALL_SITE.build };

test('leftovers of the demonstration are found: each finding says where, what and what to do, and the command fails', () => {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(new URL(FILE, import.meta.url))], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...VARIABLES },
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /content\/agency\.yaml:\d+:\d+ email\n {2}“hello@larkfield\.example” is the demonstration’s\n {2}→ /,
  );
  expect(stdout).toMatch(/content\/portrait\.jpg\n/);
  expect(stdout).toMatch(/\n\d+ findings\n$/);
});

test('an invalid URL is refused', async () => {
  const errors = expect.stringContaining('Expected an address that begins with https://');
  expect(await runProgram(FILE, ['www.example.org'], VARIABLES)).toMatchObject({ code: 2, errors });
});
