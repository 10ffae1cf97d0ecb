import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RenderTask } from '#server/prerender.ts';

/**
 * Renders in a thread of its own (src/server/prerender.ts).
 * @returns the document of one page, or nothing for all
 */
export async function renderInThread(code: string, task: RenderTask): Promise<string> {
  const worker = new Worker(join(code, 'prerender.js'), { workerData: task });
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  return answer;
}
