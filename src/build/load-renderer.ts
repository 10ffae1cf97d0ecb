import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Renderer from './render-site.ts';

/**
 * Loads the code that renders pages.
 * @param code absolute path of a build's `server` folder
 */
export function loadRenderer(code: string): Promise<typeof Renderer> {
  return import(pathToFileURL(join(code, 'render-site.js')).href);
}
