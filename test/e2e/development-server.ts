import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { TEST_CONTENT } from '../test-content.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `npm run dev` in a copy of the project that tests may change. */
export type Development = {
  url: string;
  /** Absolute path of the copy, which has the test content in content/. */
  folder: string;
  /** Whether anything is listening on its port. */
  isListening: () => Promise<boolean>;
  /** Ends npm's process, and waits until nothing is listening. */
  stop: () => Promise<void>;
};

/** Starts the server with a mistake in content/ that a test fixes: the home page has no headline. */
export async function startDevelopment(): Promise<Development> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'development-'))];
  for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true });
  await cp(TEST_CONTENT, join(folder, 'content'), { recursive: true });
  await writeHeadline(folder, '');
  // It would be encoded again after each change in content/.
  await rm(join(folder, 'content/portrait.jpg'));
  // Linked one by one, so that what is installed or cached in the copy doesn't affect the original.
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!name.startsWith('.vite')) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const npm = spawn('npm', ['run', 'dev'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(npm, 'exit');
  await new Promise<void>((resolve, reject) => {
    // If nobody read its output, it would stall.
    createInterface({ input: npm.stdout }).on('line', (line) => line.includes('Local') && resolve());
    void exited.then(() => reject(new Error('Vite ended before it listened')));
  });
  const url = `http://localhost:${port}/`;
  const isListening = async () => (await fetch(`${url}favicon.svg`).catch(() => undefined)) !== undefined;
  return {
    url,
    folder,
    isListening,
    stop: async () => {
      npm.kill();
      await exited;
      for (let tries = 0; tries < 100 && (await isListening()); tries += 1) await setTimeout(100);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export async function writeHeadline(folder: string, words: string): Promise<void> {
  const file = join(folder, 'content/home.yaml');
  const source = await readFile(file, 'utf8');
  await writeFile(file, source.replace(/^( *)headline:.*$/m, `$1headline: ${words}`));
}

/** The files and folders that `npm run dev` reads, except content/. */
const COPIED = [
  'package.json',
  'package-lock.json',
  'public',
  'src',
  'tools',
  'tsconfig.base.json',
  'tsconfig.browser.json',
  'tsconfig.json',
  'tsconfig.server.json',
  'tsconfig.tools.json',
  'vite.config.ts',
];
