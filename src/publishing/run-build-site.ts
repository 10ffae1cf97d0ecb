import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BuildSiteMessage, BuildSiteTask } from '#build/build-site-process.ts';
import type { Misfit } from '#content/lay-over.ts';

/**
 * Makes a site in a process of its own.
 * @param code absolute path of the code, the folder `server` of a build
 * @returns the fields of the overlay that are left out
 * @throws saying what to do
 */
export function runBuildSite(
  code: string,
  task: Omit<BuildSiteTask, 'code'>,
  onChecked: (misfits: Misfit[]) => void = () => undefined,
): Promise<Misfit[]> {
  const child = fork(join(code, 'make-site.js'), [], {
    env: { ...process.env, ...LITTLE_MEMORY },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  });
  let misfits: Misfit[] = [];
  child.send({ ...task, code } satisfies BuildSiteTask);
  return new Promise((resolve, reject) => {
    child.on('message', (message: BuildSiteMessage) => {
      if (message.step === 'checked') {
        ({ misfits } = message);
        onChecked(misfits);
      }
      if (message.step === 'made') resolve(misfits);
      if (message.step === 'failed') reject(new Error(message.reason));
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error('making the pages was ended in the middle, perhaps for lack of memory')));
  });
}

/** It shares a small machine with the server: two pictures at a time take a fifth less memory than four. */
const LITTLE_MEMORY = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' };
