import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { copyContent } from '#content/content-files.ts';
import { fitOverlay, type Misfit } from '#content/apply-overlay.ts';
import { findBrokenLinks } from '#content/markdown/check-links.ts';
import { findPlace, PICTURE_SOURCE } from '#content/overlay.ts';
import { checkContentFiles, type Drafts, listPageFiles } from '#content/parse-content.ts';
import { findUnreadable } from '#content/pictures/check-pictures.ts';
import type { BuildSiteTask } from './build-site-process.ts';
import { toPageFile, toPagePath } from './built-site.ts';

type From = Pick<BuildSiteTask, 'base' | 'overlay' | 'pictures' | 'public' | 'pages'>;

/**
 * Writes content/ with an overlay into a new folder, except for fields that the build's checks reject.
 * @returns the fields that were left out
 */
export async function writeOverlaidContent(from: From, to: string): Promise<Misfit[]> {
  const { base, pictures } = from;
  const unreadable = await findUnreadablePictures(from);
  const rejected = new Set(unreadable.map(({ key }) => key));
  const overlay = Object.fromEntries(Object.entries(from.overlay).filter(([key]) => !rejected.has(key)));
  const readPicture = (name: string) => {
    const path = join(pictures, name);
    return existsSync(path) ? readFileSync(path) : undefined;
  };
  const { drafts, misfits } = fitOverlay({ folder: base, readPicture }, overlay, (tried) => findErrors(from, tried));
  await copyContent(base, to);
  for (const [path, bytes] of drafts) {
    if (bytes === undefined) rmSync(join(to, path), { force: true });
    else {
      mkdirSync(dirname(join(to, path)), { recursive: true });
      writeFileSync(join(to, path), bytes);
    }
  }
  return [...unreadable, ...misfits];
}

async function findUnreadablePictures({ overlay, pictures }: From): Promise<Misfit[]> {
  const keys = Object.keys(overlay).filter((key) => findPlace(key).name === PICTURE_SOURCE);
  const found = keys.map(async (key): Promise<Misfit[]> => {
    const { value: name } = overlay[key]!;
    if (typeof name !== 'string' || name === '' || !existsSync(join(pictures, name))) return [];
    // The checks use its name in content/.
    const shown = join(pictures, `${findPlace(key).path[0]}${extname(name)}`);
    copyFileSync(join(pictures, name), shown);
    const message = await findUnreadable(shown);
    return message === undefined ? [] : [{ key, message }];
  });
  return (await Promise.all(found)).flat();
}

function findErrors({ base, public: publicFolder, pages }: From, drafts: Drafts) {
  const { content, errors } = checkContentFiles(base, drafts);
  if (content === undefined) return errors;
  const before = new Set(listPageFiles(base).map((file) => `/${file.slice('pages/'.length, -'.md'.length)}`));
  const paths = pages.map(toPagePath).filter((path) => !before.has(path));
  const clashes = content.markdownPages.filter(
    ({ path }) => paths.includes(path) || existsSync(join(publicFolder, toPageFile(path))),
  );
  return [
    ...clashes.map(({ path }) => ({ file: `pages${path}.md`, line: 1, column: 1, message: TAKEN })),
    ...findBrokenLinks({ folder: base, publicFolder }, content, paths, drafts),
  ];
}

const TAKEN = 'the address of this page is already used by another page or file';
