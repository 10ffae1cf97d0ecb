import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { tryDecodeURI } from 'hono/utils/url';
import sharp from 'sharp';
import { listPublicFiles } from '#content/list-files.ts';
import { MAX_WIDTH } from '#content/pictures/shrink-picture.ts';
import type { MarkdownContent } from '#content/schemas/content-schema.ts';
import type { MadeFiles } from './made-files.ts';

/**
 * Shows a page's pictures from public/ at most 1200 pixels wide. The files themselves keep their size, for the press.
 * @param publicFolder absolute path of public/
 * @param made receives the copies that are shown
 */
export async function shrinkPagePictures(
  page: MarkdownContent,
  publicFolder: string,
  made: MadeFiles,
): Promise<MarkdownContent> {
  const inPublic = listPublicFiles(publicFolder);
  const shrunk = new Map<string, string>();
  for (const [, url = ''] of page.sections.flatMap(({ html }) => [...html.matchAll(PICTURE)])) {
    const file = inPublic.get(tryDecodeURI(url).slice(1).normalize('NFC'));
    const wide = file === undefined ? undefined : await findTooWide(join(publicFolder, file));
    if (wide === undefined) continue;
    const { path, isAnimated } = wide;
    const make = () => sharp(path, { animated: isAnimated }).autoOrient().resize(SIZE).toBuffer();
    const name = `picture${extname(url).toLowerCase()}`;
    shrunk.set(url, await made.add(name, [readFileSync(path), SIZE], make));
  }
  const replace = (html: string) =>
    html.replaceAll(PICTURE, (tag, url: string) => tag.replace(url, shrunk.get(url) ?? url));
  return { ...page, sections: page.sections.map((section) => ({ ...section, html: replace(section.html) })) };
}

/** As markdown-it writes it. */
const PICTURE = /<img src="([^"]*)"/g;

const SIZE = { width: MAX_WIDTH };

/** @returns undefined if the picture is small enough, or isn't a raster image */
async function findTooWide(path: string): Promise<{ path: string; isAnimated: boolean } | undefined> {
  const metadata = await sharp(path)
    .metadata()
    .catch(() => undefined);
  if (metadata === undefined || metadata.format === 'svg' || metadata.autoOrient.width <= MAX_WIDTH) return undefined;
  return { path, isAnimated: (metadata.pages ?? 1) > 1 };
}
