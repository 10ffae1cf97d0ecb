import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SiteContent } from '#content/site-content.ts';
import type { PageFacts } from '#layout/page.ts';
import type { RenderTask } from '#server/prerender.ts';

/**
 * Renders in a separate thread (src/server/prerender.ts).
 * @returns the document of one page, the list of pages, or nothing after rendering all
 */
export async function renderInThread(code: string, task: RenderTask): Promise<string> {
  const worker = new Worker(join(code, 'prerender.js'), { workerData: task });
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  return answer;
}

/** Lists the pages of some content, in a separate thread. */
export async function listPagesInThread(code: string, content: SiteContent): Promise<PageFacts[]> {
  return JSON.parse(await renderInThread(code, { content }));
}
