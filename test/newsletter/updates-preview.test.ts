import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { TEST_SITE } from '../built-sites.ts';

const UPDATE = `---
subject: Pay in 2026
preview: What we saw
---
# Pay

Ask [us](https://www.agency.example/).
`;

test('the preview shows the mail, follows the file as it is saved, and ends while a browser looks at it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'preview-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pay.md');
  writeFileSync(file, UPDATE);
  const child = spawn(process.execPath, [join(TEST_SITE, 'server/updates.js'), 'preview', file, '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: folder, SITE_URL: 'https://www.agency.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = /http:\S+/.exec(line)![0];
  const shown = async (path = '/') => (await fetch(url + path)).text();

  const page = await shown();
  expect(page).toMatch(/In the inbox[^]*<b>Pay in 2026<\/b>[^]*What we saw/);
  expect(page).toContain('Subject: Pay in 2026');
  expect(page).toContain('List-Unsubscribe:');
  expect(page).toMatch(/kB of HTML/);
  expect(page.match(/<iframe/g)).toHaveLength(4);
  expect(await shown('/mail/light')).toContain('Ask <a');

  const changes = (await fetch(`${url}/changes`)).body!.pipeThrough(new TextDecoderStream()).getReader();
  writeFileSync(file, UPDATE.replace('https://', 'http://'));
  expect((await changes.read()).value).toContain('changed');
  expect(await shown()).toMatch(/This cannot be sent yet[^]*pay\.md:7:/);

  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
});
