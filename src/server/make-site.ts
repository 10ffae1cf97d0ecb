import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentBuild } from '#build/build-site.ts';
import { keepEarlierFiles } from '#build/keep-earlier-files.ts';
import type { MakeSiteMessage } from '#build/build-site-process.ts';
import { listFiles } from '#content/list-files.ts';
import { readBuiltSite } from '#build/built-site.ts';
import { findSites, type Live, nameCode } from './live-site.ts';

/**
 * Makes a site in a process of its own, and keeps the files of the previous site that open pages still request.
 * @param from.build the folder of the build, whose code and settings make it
 * @param from.before the folder of the site that is shown now
 * @param from.out absolute path of its folder, which already contains `content`
 * @param from.onChecked called when the content has no mistake
 * @throws saying what to do
 */
export async function makeSite(from: {
  build: string;
  publicFolder: string;
  before: string;
  out: string;
  onChecked?: () => void;
}): Promise<void> {
  const { build, before, out, publicFolder } = from;
  const code = join(build, 'server');
  const { settings } = readBuiltSite(build);
  const task: ContentBuild = { content: join(out, 'content'), public: publicFolder, code, out, settings };
  await runMakeSite(join(code, 'make-site.js'), task, from.onChecked);
  await keepEarlierFiles(before, out);
  for (const file of listFiles(out)) await flush(join(out, file));
}

/** The folder public/ of the project, or its copy in the build. */
export function findPublicFolder(build: string, project: string | undefined): string {
  const own = project === undefined ? undefined : join(project, 'public');
  return own !== undefined && existsSync(own) ? own : join(build, 'server/public');
}

/** Makes a site the live one, which visitors see from now on. */
export async function goLive(dataDir: string, build: string, name: string): Promise<void> {
  const built = readBuiltSite(build);
  const made = readBuiltSite(join(findSites(dataDir), name));
  const live: Live = { site: name, code: nameCode(made), over: built.words };
  const file = join(findSites(dataDir), 'live');
  await writeFile(`${file}.unfinished`, JSON.stringify(live));
  await flush(`${file}.unfinished`);
  await rename(`${file}.unfinished`, file);
}

function runMakeSite(program: string, task: ContentBuild, onChecked: () => void = () => undefined): Promise<void> {
  const child = fork(program, [JSON.stringify(task)], {
    env: { ...process.env, ...LITTLE_MEMORY },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: MakeSiteMessage) => {
      if (message.step === 'checked') onChecked();
      if (message.step === 'made') resolve();
      if (message.step === 'failed') reject(new Error(message.reason));
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error('making the pages was ended in the middle, perhaps for lack of memory')));
  });
}

/** It shares a small machine with the server: two pictures at a time take a fifth less memory than four. */
const LITTLE_MEMORY = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' };

/** Flushes it to disk, so that a power cut leaves no empty page. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
