import { expect, test } from 'vitest';
import { MINIMAL_SITE } from '../built-sites.ts';
import { runProgram } from '../newsletter/setup/owner-commands.ts';

const FILE = '../../../src/launch-check/launch-check.ts';

// It builds a site.
const timeout = 300_000;

test('reports where there are leftovers of the demonstration, and what to do, and fails', { timeout }, async () => {
  // The agency has an email address from the demonstration and no photograph.
  const variables = { ...MINIMAL_SITE.env, CONTENT_DIR: MINIMAL_SITE.content, OUT_DIR: MINIMAL_SITE.build };
  const { code, output } = await runProgram(FILE, [], variables);
  expect(code).toBe(1);
  expect(output).toMatch(
    /content\/agency\.yaml:\d+:\d+ email\n {2}“hello@larkfield\.example” is the demonstration’s\n {2}→ /,
  );
  expect(output).toMatch(/content\/portrait\.jpg\n/);
  expect(output).toMatch(/\n\d+ findings\n$/);
});
