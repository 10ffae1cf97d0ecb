import { makeLook } from '#content/brand/look.ts';
import type { SiteContent } from '#content/site-content.ts';
import { writeTokensCss } from '#content/brand/tokens-css.ts';
import type { Content, MarkdownContent } from '#content/schemas/content-schema.ts';
import type { Drawings } from './brand-drawings.ts';
import type { MadeFiles } from './made-files.ts';
import { makeFonts } from './make-fonts.ts';
import { makeHeaderMark, makePortrait } from './make-pictures.ts';
import { shrinkPagePictures } from './page-pictures.ts';

/** @property fonts the URLs of their files @property licences of the fonts */
export type MadeContent = { site: SiteContent; fonts: string[]; licences: string; files: MadeFiles['files'] };

/**
 * Makes everything that pages show besides text: fonts, tokens and pictures.
 * @param from.folder absolute path of content/
 * @param from.publicFolder absolute path of public/
 * @param from.made receives the files
 */
export async function makeSiteContent(from: {
  folder: string;
  publicFolder: string;
  content: Content;
  drawings: Drawings;
  made: MadeFiles;
}): Promise<MadeContent> {
  const { folder, publicFolder, content, drawings, made } = from;
  const fonts = await makeFonts(content, made);
  const portrait = await makePortrait(folder, content.brand, drawings, made);
  const mark = await makeHeaderMark(folder, made);
  const shrink = (page: MarkdownContent) => shrinkPagePictures(page, publicFolder, made);
  const site = {
    ...content,
    privacyPolicy: await shrink(content.privacyPolicy),
    markdownPages: await Promise.all(content.markdownPages.map(shrink)),
    brand: makeLook(content.brand),
    portrait,
    ...(mark && { mark }),
    styles: { fonts: fonts.css, tokens: writeTokensCss(content.brand) },
  };
  return { site, fonts: fonts.urls, licences: fonts.licences, files: made.files };
}
