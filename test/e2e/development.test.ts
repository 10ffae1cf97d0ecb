import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { freePort } from '../free-port.ts';
import { TEST_CONTENT } from '../test-content.ts';
import { errorsOf } from './console-errors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('in development the page keeps the content security policy, has its styles, and hydrates without a warning', async ({
  page,
}) => {
  // The first start prepares the packages that the browser asks for.
  test.slow();
  const server = await startDevelopment();
  try {
    const errors = errorsOf(page);
    const answer = await page.goto(server.url);
    expect(answer!.headers()['content-security-policy']).toContain("script-src 'self'");
    expect(answer!.headers()['content-security-policy']).not.toContain('unsafe');
    await hydrateForms(page);
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('h1')!).fontSize)).not.toBe('32px');
    expect(errors).toEqual([]);
  } finally {
    await server.stop();
  }
});

async function hydrateForms(page: Page): Promise<void> {
  const islands = page.locator('[data-island]', { has: page.getByRole('form') });
  await expect(islands).toHaveCount(2);
  for (const island of await islands.all()) {
    await island.getByLabel('Email').focus();
    await expect(island).toHaveAttribute('data-hydrated', '', { timeout: 30_000 });
  }
}

/** Vite, on the tests' own content and a free port. */
async function startDevelopment(): Promise<{ url: string; stop: () => Promise<void> }> {
  const [port, data] = [await freePort(), await mkdtemp(join(tmpdir(), 'development-'))];
  const server = spawn(process.execPath, ['node_modules/vite/bin/vite.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: data, CONTENT_DIR: TEST_CONTENT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  await new Promise<void>((resolve, reject) => {
    // Read to the end: it would stop at a line that nobody takes.
    createInterface({ input: server.stdout }).on('line', (line) => line.includes('Local') && resolve());
    void exited.then(() => reject(new Error('Vite ended before it listened')));
  });
  return {
    url: `http://localhost:${port}/`,
    stop: async () => {
      server.kill();
      await exited;
      await rm(data, { recursive: true });
    },
  };
}
