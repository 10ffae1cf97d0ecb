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
  const thread = startThread(code);
  try {
    return await giveTask(thread, task);
  } finally {
    await thread.terminate();
  }
}

/** Lists the pages of some content, in a separate thread. */
export async function listPagesInThread(code: string, content: SiteContent): Promise<PageFacts[]> {
  return JSON.parse(await renderInThread(code, { content }));
}

/** Renders one task after the other in a thread that stays, since loading its code takes longer than a page. */
export function createRenderer(code: string): (task: RenderTask) => Promise<string> {
  let thread: Worker | undefined;
  let before: Promise<unknown> = Promise.resolve();
  const render = async (task: RenderTask) => {
    thread ??= startThread(code);
    // It doesn't keep a desk from ending.
    thread.unref();
    try {
      return await giveTask(thread, task);
    } catch (error) {
      thread = undefined;
      throw error;
    }
  };
  return (task) => {
    const rendered = before.then(() => render(task));
    before = rendered.catch(() => undefined);
    return rendered;
  };
}

function startThread(code: string): Worker {
  return new Worker(join(code, 'prerender.js'));
}

/** @throws what the thread ends with */
async function giveTask(thread: Worker, task: RenderTask): Promise<string> {
  thread.postMessage(task);
  const [answer] = await once(thread, 'message');
  return answer;
}
