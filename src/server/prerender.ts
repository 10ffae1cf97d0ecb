import { mkdir, writeFile } from 'node:fs/promises';
import { defaultExtensionMap, toSSG } from 'hono/ssg';
import { SPECULATION_RULES } from './headers.ts';
import { createRoutes } from './routes.tsx';
import type { Site } from '#site/page.ts';

export { THEME_COLOUR } from '#site/discovery/page-metadata.tsx';
export { SITE_PAGES } from './routes.tsx';

/** Writes every page of the site that is the same for all who ask into a folder. */
export async function prerenderSite(folder: string, site: Site): Promise<void> {
  const extensionMap = { ...defaultExtensionMap, [SPECULATION_RULES.type]: 'json' };
  const result = await toSSG(createRoutes(site), { mkdir, writeFile }, { dir: folder, extensionMap });
  if (!result.success) throw result.error ?? new Error('The pages could not be written');
}
