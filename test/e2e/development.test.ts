import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { scriptOf } from '../../tools/setup/install.mjs';
import { freePort } from '../free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('in development the page keeps the content security policy, has its styles, and its parts work', async ({
  page,
}) => {
  const [port, data] = [await freePort(), await mkdtemp(join(tmpdir(), 'development-'))];
  const server = spawn(process.execPath, [scriptOf(root, 'vite')], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  try {
    let said = '';
    for await (const text of server.stdout) if ((said += text).includes('Local')) break;
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text());
    });
    const answer = await page.goto(`http://localhost:${port}/`);
    expect(answer!.headers()['content-security-policy']).toContain("script-src 'self'");
    expect(answer!.headers()['content-security-policy']).not.toContain('unsafe');
    // A part that a visitor operates comes with its scripts and styles, which the policy lets in.
    await page.locator('input[type=email]').first().focus();
    await expect(page.locator('[data-hydrated]').first()).toBeAttached({ timeout: 30_000 });
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('h1')!).fontSize)).not.toBe('32px');
    expect(refused).toEqual([]);
  } finally {
    server.kill();
    await exited;
    await rm(data, { recursive: true });
  }
});
