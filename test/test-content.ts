import { join } from 'node:path';
import { makeLook } from '#content/brand/look.ts';
import { readContent } from '#content/parse-content.ts';
import { PORTRAIT_SIZE } from '#content/pictures/picture-files.ts';
import type { SiteContent } from '#content/site-content.ts';

/** The content of a made-up agency, so that owners can replace content/ freely. */
export const TEST_CONTENT = join(import.meta.dirname, 'content');

const read = readContent(TEST_CONTENT);

export const { brand } = read;

/** The content that every test uses, as the content stage produces it, but without pictures and styles. */
export const content: SiteContent = {
  ...read,
  brand: makeLook(read.brand),
  portrait: { src: '/assets/portrait.jpg', sources: [], ...PORTRAIT_SIZE },
  styles: { fonts: '', tokens: '' },
};
