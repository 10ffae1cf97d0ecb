import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { cleanPicture } from '#content/pictures/shrink-picture.ts';
import { findFreeName } from './update-files.ts';

/** Answers with a picture or font of the built site. @param path below its folder, decoded */
export async function answerWithFile(context: Context, site: string, path: string): Promise<Response> {
  const type = getMimeType(path) ?? '';
  if (normalize(path).startsWith('..') || !/^(image|font)\//.test(type)) return context.notFound();
  const bytes = await readFile(join(site, path)).catch(() => undefined);
  if (bytes === undefined) return context.notFound();
  return context.body(new Uint8Array(bytes), 200, { 'Content-Type': type });
}

/**
 * Prepares a picture for emails, and saves it in public/, for Git and the next build, and in the built site.
 * @returns its Markdown, with the file's name as alternative text until the owner edits it
 * @throws if mails can't show it, or there is no folder to keep it in
 */
export async function savePicture({ pictures }: { pictures: string[] }, picture: File): Promise<string> {
  const { bytes, ending } = await cleanPicture(new Uint8Array(await picture.arrayBuffer())).catch((error: Error) => {
    throw new Error(`${picture.name}: ${error.message}.`, { cause: error });
  });
  const [kept] = pictures;
  if (kept === undefined) {
    throw new Error(
      'Pictures are added on the machine that has the project: save it in public/ there, and build the site again.',
    );
  }
  const name = picture.name.replace(/\.[^.]*$/, '');
  const path = `/updates/${findFreeName([join(kept, 'updates')], name, ending)}${ending}`;
  for (const folder of pictures) {
    mkdirSync(join(folder, 'updates'), { recursive: true });
    // Renamed when it is complete: a server must not read half of it.
    writeFileSync(join(folder, `${path}.part`), bytes);
    renameSync(join(folder, `${path}.part`), join(folder, path));
  }
  return `![${name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}](${path})`;
}
