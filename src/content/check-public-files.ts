import { IN_CLOUD, isHidden, isInCloud, isLeftOver, listFiles } from './list-files.ts';

/** Paths that the server handles itself, without their first slash. */
export const RESERVED_PATHS = /^(assets|api|newsletter|healthz|desk|preview)(\/|$)/;

/** The build writes these for other hosts, with the site's security headers. */
const HOSTING_FILES = new Set(['_headers', '_redirects', 'vercel.json']);

/** Files that software requests at exactly this path. The owner's files replace the generated ones. */
const WELL_KNOWN_FILES = [
  'robots.txt',
  'llms.txt',
  'sitemap.xml',
  'favicon.ico',
  'favicon.svg',
  '.well-known/security.txt',
];

/** Hidden files of tools and systems, which nobody wants to publish. */
const TOOL_FILES =
  /(^|\/)\.(_|#|~lock|DS_Store|env|git|hg|svn|npmrc|keep|AppleDouble|Spotlight|Trash|TemporaryItems|DocumentRevisions|VolumeIcon|apdisk|com\.apple|fseventsd|metadata_never_index|localized|directory|fuse_hidden|nfs|@__thumb|dropbox|tmp\.drive|sync|csync|nextcloud|owncloud|st(folder|ignore|versions)|vscode|idea)/i;

/**
 * Finds files in public/ that would never be served: the site has another file at their path, or nothing requests a
 * file of that name.
 * @param publicFolder absolute path of public/
 * @param pages the paths of all pages, such as `/terms`
 * @returns a line for each, beginning with the file's path
 */
export function findPublicFileErrors(publicFolder: string, pages: string[]): string[] {
  const documents = new Set(pages.map((path) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`)));
  documents.add('404.html');
  const files = listFiles(publicFolder).toSorted();
  return files.flatMap((file, index) => {
    const message =
      findError(file, documents) ?? findCompressed(file, files) ?? findSameName(file, files.slice(0, index));
    return message === undefined ? [] : [`public/${file}: ${message}`];
  });
}

/** @param documents the files of all pages */
function findError(file: string, documents: Set<string>): string | undefined {
  if (isInCloud(file)) return IN_CLOUD;
  if (isLeftOver(file)) return undefined;
  if (isHidden(file)) {
    if (TOOL_FILES.test(file)) return undefined;
    return 'a file whose name begins with a dot is not published. Remove it, or name it without the dot';
  }
  const small = file.toLowerCase();
  if (documents.has(small) || documents.has(small.replace(/\/index\.html$/, '.html')) || RESERVED_PATHS.test(file)) {
    return 'the site already uses this path. Give your file another name';
  }
  if (HOSTING_FILES.has(file)) return 'the build writes a file of this name for your host. Remove yours';
  const wellKnown = WELL_KNOWN_FILES.find((path) => isNearly(path, file));
  if (wellKnown === undefined || wellKnown === file) return undefined;
  return `nothing requests a file of this name. Name it public/${wellKnown}`;
}

/** The server would send the build's compressed copy for the other file, and none for this one. */
function findCompressed(file: string, files: string[]): string | undefined {
  const [, other] = /^(.+)\.(?:gz|br)$/.exec(file) ?? [];
  if (other === undefined || ![...files, ...WELL_KNOWN_FILES].includes(other)) return undefined;
  return `the build may write a compressed copy of ${other} under this name. Give your file another name`;
}

/** A Mac writes ü as two characters, so a folder may have two files that seem to have the same name. */
function findSameName(file: string, earlier: string[]): string | undefined {
  const isSame = earlier.some((other) => other.normalize('NFC') === file.normalize('NFC'));
  return isSame ? 'another file has this name, with its accents stored differently. Remove one of them' : undefined;
}

/** `Robots.txt` and `security.txt` are read only as `robots.txt` and `.well-known/security.txt`. */
function isNearly(path: string, file: string): boolean {
  const small = file.toLowerCase();
  return small === path || small === path.replace('.well-known/', '');
}
