/**
 * Renders pages of the given content in a separate thread, so the content of the starting process
 * doesn't change. It does one task at a time; an error ends it.
 */
import { on } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { defaultExtensionMap, toSSG } from 'hono/ssg';
import { setSiteContent, type SiteContent } from '#content/site-content.ts';
import { renderSignUpMails } from '#newsletter/mails/sign-up-mails.tsx';
import type { BuiltSite } from '#build/built-site.ts';
import { SPECULATION_RULES } from './headers.ts';
import { listSitePages } from '#pages/index.tsx';
import { createRoutes } from './routes.tsx';

/**
 * A thread's task: render every page into a folder; render one page or mail and answer with its text; or list the
 * pages and answer with an array of `PageFacts` in JSON.
 */
export type RenderTask =
  | { site: BuiltSite; folder: string }
  | { site: BuiltSite; path: string }
  | { site: BuiltSite; mail: keyof SiteContent['mail'] }
  | { content: SiteContent };

if (parentPort) {
  for await (const [task] of on(parentPort, 'message')) {
    parentPort.postMessage(await render(task as RenderTask));
  }
}

async function render(task: RenderTask): Promise<string> {
  if ('content' in task) {
    setSiteContent(task.content);
    return JSON.stringify(listSitePages());
  }
  setSiteContent(task.site.content);
  if ('mail' in task) return renderSignUpMails(task.site.content)[task.mail].html;
  const routes = createRoutes(task.site);
  if ('path' in task) return (await routes.request(task.path)).text();
  const extensionMap = { ...defaultExtensionMap, [SPECULATION_RULES.type]: 'json' };
  const result = await toSSG(routes, { mkdir, writeFile }, { dir: task.folder, extensionMap });
  if (!result.success) throw result.error ?? new Error('The pages could not be written');
  return '';
}
