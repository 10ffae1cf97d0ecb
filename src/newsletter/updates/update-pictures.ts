import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { cleanPicture, measurePicture } from '#content/pictures/shrink-picture.ts';
import { namePicture } from '#content/source-files.ts';
import type { Store } from '../database/open-store.ts';
import { PICTURES_PATH, storePicture } from './stored-pictures.ts';
import { hyphenate } from './update-files.ts';

/** Responds with a picture or font of the built site. @param path relative to the site's folder, decoded */
export async function answerWithFile(context: Context, site: string, path: string): Promise<Response> {
  const type = getMimeType(path) ?? '';
  if (normalize(path).startsWith('..') || !/^(image|font)\//.test(type)) return context.notFound();
  const bytes = await readFile(join(site, path)).catch(() => undefined);
  if (bytes === undefined) return context.notFound();
  return context.body(new Uint8Array(bytes), 200, { 'Content-Type': type });
}

/**
 * Prepares a picture for emails, and stores it.
 * @returns its Markdown, with the file's name as alternative text until the owner edits it
 * @throws if emails can't show it
 */
export async function savePicture({ db }: Store, picture: File): Promise<string> {
  const { bytes, ending } = await cleanPicture(new Uint8Array(await picture.arrayBuffer())).catch((error: Error) => {
    throw new Error(`${picture.name}: ${error.message}.`, { cause: error });
  });
  const name = picture.name.replace(/\.[^.]*$/, '');
  const stored = `${hyphenate(name)}-${namePicture(bytes, ending)}`;
  await storePicture(db, stored, { bytes, ...(await measurePicture(bytes)) });
  return `![${name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}](${PICTURES_PATH}${stored})`;
}
