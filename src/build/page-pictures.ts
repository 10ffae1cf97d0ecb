import { extname, join } from 'node:path';
import { tryDecodeURI } from 'hono/utils/url';
import sharp from 'sharp';
import { listPublicFiles } from '#content/list-files.ts';
import { MAX_WIDTH } from '#content/pictures/shrink-picture.ts';
import type { MarkdownContent } from '#content/schemas/content-schema.ts';
import { addPicture, type Files } from './make-pictures.ts';

/**
 * Shows pictures of public/ on a page at most 1200 pixels wide. The files themselves keep their size, for the press.
 * @param publicFolder absolute path of public/
 * @param files gets the copies that are shown
 */
export async function shrinkPagePictures(
  page: MarkdownContent,
  publicFolder: string,
  files: Files,
): Promise<MarkdownContent> {
  const inPublic = listPublicFiles(publicFolder);
  const shrunk = new Map<string, string>();
  for (const [, url = ''] of page.sections.flatMap(({ html }) => [...html.matchAll(PICTURE)])) {
    const file = inPublic.get(tryDecodeURI(url).slice(1).normalize('NFC'));
    const copy = file === undefined ? undefined : await shrink(join(publicFolder, file));
    if (copy !== undefined) shrunk.set(url, addPicture(files, `picture${extname(url).toLowerCase()}`, copy));
  }
  const replace = (html: string) =>
    html.replaceAll(PICTURE, (tag, url: string) => tag.replace(url, shrunk.get(url) ?? url));
  return { ...page, sections: page.sections.map((section) => ({ ...section, html: replace(section.html) })) };
}

/** As markdown-it writes it. */
const PICTURE = /<img src="([^"]*)"/g;

/** @returns undefined if the picture is small enough, or isn't a raster image */
async function shrink(path: string): Promise<Buffer | undefined> {
  const facts = await sharp(path)
    .metadata()
    .catch(() => undefined);
  if (facts === undefined || facts.format === 'svg' || facts.autoOrient.width <= MAX_WIDTH) return undefined;
  return sharp(path, { animated: (facts.pages ?? 1) > 1 })
    .autoOrient()
    .resize({ width: MAX_WIDTH })
    .toBuffer();
}
