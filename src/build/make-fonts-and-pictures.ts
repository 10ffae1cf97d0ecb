import { makeLook } from '#content/brand/look.ts';
import type { SiteContent } from '#content/site-content.ts';
import { writeTokensCss } from '#content/brand/tokens-css.ts';
import type { Content, MarkdownContent } from '#content/schemas/content-schema.ts';
import type { Drawings } from './brand-drawings.ts';
import { makeFonts } from './make-fonts.ts';
import { makeHeaderMark, makePortrait } from './make-pictures.ts';
import { shrinkPagePictures } from './page-pictures.ts';

/** `files` by their paths in the site; `fonts` are the URLs of those among them. */
export type MadeContent = {
  site: SiteContent;
  files: Map<string, Uint8Array>;
  fonts: string[];
  licences: string;
};

/**
 * Makes everything that pages show besides text: fonts, tokens and pictures.
 * @param from.folder absolute path of content/
 * @param from.publicFolder absolute path of public/
 */
export async function makeSiteContent(from: {
  folder: string;
  publicFolder: string;
  content: Content;
  drawings: Drawings;
}): Promise<MadeContent> {
  const { folder, publicFolder, content, drawings } = from;
  const fonts = await makeFonts(content);
  const files = new Map(fonts.files);
  const portrait = await makePortrait(folder, content.brand, drawings, files);
  const mark = await makeHeaderMark(folder, files);
  const shrink = (page: MarkdownContent) => shrinkPagePictures(page, publicFolder, files);
  const site = {
    ...content,
    privacyPolicy: await shrink(content.privacyPolicy),
    markdownPages: await Promise.all(content.markdownPages.map(shrink)),
    brand: makeLook(content.brand),
    portrait,
    ...(mark && { mark }),
    styles: { fonts: fonts.css, tokens: writeTokensCss(content.brand) },
  };
  return { site, files, fonts: [...fonts.files.keys()].map((file) => `/${file}`), licences: fonts.licences };
}
