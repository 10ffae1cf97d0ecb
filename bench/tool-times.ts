import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';

/** Builds the site from clean. @returns seconds, as someone at the command line waits for them */
export async function measureBuild(root: string): Promise<number> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, 'tools/build/build.ts')], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The site does not build');
  return (performance.now() - started) / 1000;
}

/** @returns seconds from `npm run dev` until it has said that it is ready */
export async function measureDevelopmentStart(root: string): Promise<number> {
  const env = { ...process.env, PORT: String(await freePort()), DATA_DIR: join(root, 'test-results/bench-data') };
  const started = performance.now();
  // A group of its own, so that npm's children end with it.
  const server = spawn('npm', ['run', 'dev'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    await said(server, /ready in/);
    return (performance.now() - started) / 1000;
  } finally {
    process.kill(-server.pid!);
    await once(server, 'exit');
  }
}

async function said(child: ChildProcess, pattern: RegExp): Promise<void> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += chunk;
    if (pattern.test(text)) return;
  }
  throw new Error(`npm run dev ended and said: ${text}`);
}
