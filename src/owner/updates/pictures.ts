import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { Places } from '../command/find-places.ts';
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
 * Saves a picture in public/, where Git keeps it and the next build takes it up, and in the built site.
 * @returns its line of Markdown, which is described by the file's name until the owner writes more
 * @throws in words, when it is no picture that mails show, or there is no place to keep it
 */
export async function savePicture({ pictures }: Pick<Places, 'pictures'>, picture: File): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const ending = findEnding(bytes);
  if (ending === undefined) throw new Error(`${picture.name}: expected a picture that emails show: JPEG, PNG or GIF.`);
  const [kept] = pictures;
  if (kept === undefined) {
    throw new Error('Pictures are added where the project is: save it in public/ there, and build the site again.');
  }
  const words = picture.name.replace(/\.[^.]*$/, '');
  const path = `/updates/${findFreeName([join(kept, 'updates')], words, ending)}${ending}`;
  for (const folder of pictures) {
    mkdirSync(join(folder, 'updates'), { recursive: true });
    // Renamed into its place, so that a server never reads half of it.
    writeFileSync(join(folder, `${path}.part`), bytes);
    renameSync(join(folder, `${path}.part`), join(folder, path));
  }
  return `![${words.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}](${path})`;
}

/** Looks at the first bytes, since a file's name may be wrong. */
function findEnding([first, second, third, fourth]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xd8 && third === 0xff) return '.jpg';
  if (first === 0x89 && second === 0x50 && third === 0x4e && fourth === 0x47) return '.png';
  return first === 0x47 && second === 0x49 && third === 0x46 ? '.gif' : undefined;
}
