import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MINIMAL_SITE } from '../built-sites.ts';
import { runProgram } from '../newsletter/setup/owner-commands.ts';
import { startSite } from '../running-site.ts';
import { signInToDesk } from '../sign-in.ts';

const FILE = '../../../src/launch-check/launch-check.ts';

// It builds a site.
const timeout = 300_000;

test(
  'lists what is left of the demonstration, with its place and advice, without touching the build that the server may be using',
  { timeout },
  async () => {
    // The agency has an email address from the demonstration and no photograph.
    const variables = { ...MINIMAL_SITE.env, CONTENT_DIR: MINIMAL_SITE.content, OUT_DIR: MINIMAL_SITE.build };
    const file = join(MINIMAL_SITE.build, 'content.json');
    const { mtimeMs } = statSync(file);
    const { code, output } = await runProgram(FILE, ['https://127.0.0.1:9'], variables);
    expect(code).toBe(1);
    expect(output).toMatch(
      /content\/agency\.yaml:\d+:\d+ email\n {2}“hello@larkfield\.example” is from the demonstration\n {2}→ /,
    );
    expect(output).toMatch(/content\/portrait\.jpg\n/);
    expect(output).toMatch(/127\.0\.0\.1:9[^]*\n\d+ findings\n$/);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  },
);

test('runs on the desk of a server that has only the build, as in a container', async () => {
  const { url, dataDir, stop } = await startSite({ build: MINIMAL_SITE.build, env: MINIMAL_SITE.env });
  onTestFinished(stop);
  const headers = await signInToDesk({ url, dataDir });
  const page = `${url}/desk/website/launch`;
  await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ address: '' }) });
  await expect
    .poll(async () => (await fetch(page, { headers })).text())
    .toContain('“hello@larkfield.example” is from the demonstration');
});
