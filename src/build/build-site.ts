import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkPaths, readWholeContent } from '#content/read-content-folder.ts';
import { copyContent, hashContent } from '#content/content-files.ts';
import { type BuiltSite, toPageFile } from './built-site.ts';
import type { SiteSettings } from '#settings/site-settings.ts';
import { readMarks } from './brand-drawings.ts';
import { copyPublicFiles, findOwnIcon } from './copy-public-files.ts';
import { makeAssets, readCode } from './read-code.ts';
import { writeHostingFiles } from './hosting-files.ts';
import { drawIcons } from './icons.ts';
import { collectFiles } from './made-files.ts';
import { makeSiteContent } from './make-fonts-and-pictures.ts';
import { precompress } from './precompress.ts';
import { loadRenderer } from './load-renderer.ts';
import { drawShareImages } from './share-images.ts';

export type ContentBuild = {
  /** Absolute path of content/. */
  content: string;
  /** Absolute path of public/: its files go into the site. */
  public: string;
  /** Absolute path of a build's `server` folder. */
  code: string;
  /** Absolute path of a new folder, which gets `site`, `content.json` and a copy of `content`. */
  out: string;
  settings: SiteSettings;
  /** Absolute path of an intact site that was built with the same code, whose files are reused. */
  earlier?: string;
};

/**
 * The content stage of a build: makes the site from content/ with code that is already built, in a few seconds and
 * without Vite. It doesn't change the content that this process serves.
 * @param onChecked called once content/ has passed its checks
 * @returns the number of pages
 * @throws {ContentError} with every error in content/; in that case nothing is written to `out`
 */
export async function buildContent(
  { content: folder, public: publicFolder, code: codeFolder, out, settings, earlier }: ContentBuild,
  onChecked: () => void = () => undefined,
) {
  const content = await readWholeContent(folder);
  const code = readCode(codeFolder);
  const drawings = {
    favicon: join(codeFolder, 'favicon.svg'),
    mark: join(codeFolder, 'mark.svg'),
    portrait: join(codeFolder, 'portrait.svg'),
  };
  const files = collectFiles(earlier);
  const made = await makeSiteContent({ folder, publicFolder, content, drawings, made: files });
  const renderer = await loadRenderer(codeFolder);
  const pages = renderer.listSitePages(made.site);
  const paths = pages.map(({ path }) => path);
  checkPaths(content, { folder, publicFolder }, paths);
  onChecked();
  const site = join(out, 'site');
  await mkdir(join(site, 'assets'), { recursive: true });
  await cp(join(codeFolder, 'browser'), site, { recursive: true });
  await appendFile(join(site, 'licenses.txt'), made.licences);

  const marks = await readMarks(folder, content, drawings);
  await drawIcons(site, { ...marks, colours: made.site.brand.light });
  const look = { agencyName: content.agency.name, mark: marks.mark, brand: content.brand };
  const shareImages = await drawShareImages(files, pages, look);
  for (const [path, bytes] of files.files) await writeFile(join(site, path), bytes);
  const built: BuiltSite = {
    content: made.site,
    assets: { ...makeAssets(code, made.site.styles), fonts: made.fonts, shareImages, ...findOwnIcon(publicFolder) },
    settings,
    code: code.id,
    contentHash: hashContent(folder),
    documents: [...paths.map(toPageFile), toPageFile('/404')],
  };
  for (const [path, text] of await renderer.renderSite(built)) await writeSiteFile(join(site, path), text);
  // Comes last, so that the owner's robots.txt or favicon.ico overwrites the generated one.
  await copyPublicFiles(publicFolder, site);
  await writeFile(join(out, 'content.json'), JSON.stringify(built));
  const copy = join(out, 'content');
  if (copy !== folder) await copyContent(folder, copy);
  await precompress(site, earlier && join(earlier, 'site'));
  for (const limit of await writeHostingFiles(out, built, content.agency.tags)) console.warn(limit);
  return pages.length;
}

async function writeSiteFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
