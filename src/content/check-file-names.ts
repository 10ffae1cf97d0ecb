import { basename, dirname, extname } from 'node:path';
import { isHidden, isLeftOver, listFiles } from './list-files.ts';
import { POLICY_FILE } from './markdown/read-markdown-page.ts';
import { nameFile, SCHEMAS } from './parse-content.ts';
import { MARK_FILES, PORTRAIT_FILES } from './pictures/picture-files.ts';

/**
 * Finds files in content/ that aren't read because of their names: `portrait.JPG`, `agency.yml`, `home (1).yaml`.
 * Folders other than pages/ are ignored.
 * @param folder absolute path of content/
 * @returns a line for each, beginning with the file's path
 */
export function findMisnamedFiles(folder: string): string[] {
  const files = listFiles(folder).filter((file) => !isHidden(file) && !isLeftOver(file));
  return files.toSorted().flatMap((file) => {
    const message = isRead(file) ? findDuplicate(file, files) : explainUnread(file, files);
    return message === undefined ? [] : [`${nameFile(folder, file)}: ${message}`];
  });
}

const YAML_FILES = Object.keys(SCHEMAS).map((name) => `${name}.yaml`);
const KNOWN = [...YAML_FILES, POLICY_FILE, ...MARK_FILES, ...PORTRAIT_FILES];

function isRead(file: string): boolean {
  return KNOWN.includes(file) || /^pages\/[^/]+\.md$/.test(file);
}

function explainUnread(file: string, files: string[]): string | undefined {
  const [first = ''] = file.split('/');
  const isInRoot = first === file;
  if (!isInRoot && first.toLowerCase() !== 'pages') return undefined;
  if (!isInRoot && first !== 'pages') return 'this folder is not read. Name it pages';
  if (!isInRoot && dirname(file) !== 'pages') {
    return 'a folder in pages/ is not read. Put the file into pages/ itself';
  }
  if (isInRoot && /^(readme|licen[cs]e)\b/i.test(file)) return undefined;
  return findDuplicate(file, files) ?? `this file is not read. ${suggestName(file)}`;
}

/** What sync services, operating systems, editors and Git add to the name of a second copy. */
const COPY_MARKS = [
  // Windows: `terms - Copy (2)`; Finder, iCloud and downloads: `terms copy`, `terms 2`, `terms (1)`.
  /( [-–])? (copy|kopie|copie|copia)( \(?\d+\)?)?$/i,
  /(?<=^|\/)(copy of|kopie von|copie de|copia de) /i,
  / \(?\d{1,2}\)?$/,
  // Dropbox, Nextcloud, Syncthing: `home (Kim's conflicted copy 2026-11-28)`, `home.sync-conflict-20261128-…`.
  / \([^)]*(conflict|konflikt|conflit)[^)]*\)$/i,
  /[._-](sync-)?conflict[\w-]*$/i,
  // OneDrive adds the name of the computer: `home-DESKTOP-4F2A`, `home-Kims-MacBook`.
  /(?<=^[^/]+)-[\w-]*(desktop|laptop|macbook|imac|surface)[\w-]*$/i,
  // `git mergetool`: `home_LOCAL_1234`.
  /_(BACKUP|BASE|LOCAL|REMOTE)_\d+$/,
];

function findDuplicate(file: string, files: string[]): string | undefined {
  const original = findOriginal(file);
  if (original === undefined) return undefined;
  if (!files.includes(original)) return isRead(file) ? undefined : `this file is not read. Name it ${original}`;
  return `this is a second copy of ${original}, such as iCloud, Dropbox or Git creates. Keep one: move what you need into ${original}, and remove this file`;
}

/** @returns the file of which this one is a copy, to judge by its name */
function findOriginal(file: string): string | undefined {
  const whole = file.replace(/\.(orig|bak|backup|save|old|rej|mine|r\d+)$/i, '');
  const ending = extname(whole);
  const stem = whole.slice(0, whole.length - ending.length);
  const mark = COPY_MARKS.find((each) => each.test(stem));
  const original = mark === undefined ? whole : stem.replace(mark, '') + ending;
  return original !== file && isRead(original) ? original : undefined;
}

/** @returns what to do about a file in content/ or pages/ that isn't read */
function suggestName(file: string): string {
  // Windows hides the second extension of `home.yaml.txt` and `portrait.jpg.jpg`.
  const small = file
    .toLowerCase()
    .replace(/\.(yaml|yml|md)\.txt$/, '.$1')
    .replace(/(\.\w+)(\.jpe?g|\.png|\.svg|\.ya?ml|\.md)$/, '$1')
    .replaceAll(/[ _]/g, '-');
  const stem = basename(small, extname(small));
  if (dirname(file) === 'pages') return `Name it pages/${stem}.md`;
  if (stem === 'portrait' && !isRead(small)) return 'Save the picture as portrait.jpg';
  if (/^(mark|logo)$/.test(stem) && !isRead(small)) return 'Save the mark as mark.svg or mark.png';
  const known = KNOWN.find((each) => each === small) ?? KNOWN.find((each) => basename(each, extname(each)) === stem);
  return known === undefined ? 'Move it out of content/' : `Name it ${known}`;
}
