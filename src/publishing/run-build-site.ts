import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { BuildSiteMessage, BuildSiteTask } from '#build/build-site-process.ts';
import type { Misfit } from '#content/apply-overlay.ts';

/**
 * Builds a site in a separate process.
 * @param code absolute path of a build's `server` folder
 * @returns the fields of the overlay that were left out
 * @throws an error that tells the owner what to do
 */
export function runBuildSite(
  code: string,
  task: Omit<BuildSiteTask, 'code'>,
  onChecked: (misfits: Misfit[]) => void = () => undefined,
): Promise<Misfit[]> {
  const child = fork(join(code, 'build-site-process.js'), [], {
    env: { ...process.env, ...LOW_MEMORY_ENV },
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
    child.on('exit', () => reject(new Error('the build stopped halfway, possibly because memory ran out')));
  });
}

/** The build shares a small machine with the server: processing two pictures at a time takes a fifth less memory. */
const LOW_MEMORY_ENV = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' };
