import { basename, dirname, extname } from 'node:path';
import { IN_CLOUD, isHidden, isInCloud, isLeftOver, listFiles } from './list-files.ts';
import { POLICY_FILE } from './markdown/read-markdown-page.ts';
import { toSlug } from './markdown/page-slug.ts';
import { nameFile, SCHEMAS } from './parse-content.ts';
import { MARK_FILES, PORTRAIT_FILES } from './pictures/picture-files.ts';

/**
 * Finds files in content/ that aren't read because of their names: `portrait.JPG`, `agency.yml`, `home (1).yaml`.
 * Folders other than pages/ and updates/ are ignored.
 * @param folder absolute path of content/
 * @returns a line for each, beginning with the file's path
 */
export function findMisnamedFiles(folder: string): string[] {
  const all = listFiles(folder).toSorted();
  const files = all.filter((file) => !isHidden(file) && !isLeftOver(file));
  const misnamed = files.flatMap((file) => {
    const message = isRead(file) ? findDuplicate(file, files) : explainUnread(file, files);
    return message === undefined ? [] : [`${nameFile(folder, file)}: ${message}`];
  });
  const inCloud = all.filter(isInCloud).map((file) => `${nameFile(folder, file)}: ${IN_CLOUD}`);
  return [...misnamed, ...inCloud];
}

const YAML_FILES = Object.keys(SCHEMAS).map((name) => `${name}.yaml`);
const KNOWN = [...YAML_FILES, POLICY_FILE, ...MARK_FILES, ...PORTRAIT_FILES];

function isRead(file: string): boolean {
  return KNOWN.includes(file) || /^(pages|updates)\/[^/]+\.md$/.test(file);
}

function explainUnread(file: string, files: string[]): string | undefined {
  const [first = ''] = file.split('/');
  const isInRoot = first === file;
  if (isInRoot && /^(readme|licen[cs]e)\b/i.test(file)) return undefined;
  if (!isInRoot) {
    const [, known] = /^(page|update)s?$/i.exec(first) ?? [];
    if (known === undefined) return undefined;
    const right = `${known.toLowerCase()}s`;
    if (first !== right) return `this folder is not read. Name it ${right}`;
    if (dirname(file) !== right) return `a folder in ${right}/ is not read. Put the file into ${right}/ itself`;
  }
  return findDuplicate(file, files) ?? `this file is not read${suggestName(file, files)}`;
}

/** Marks that sync services, operating systems, editors and Git add to the name of a second copy. */
const COPY_MARKS = [
  // Windows: `terms - Copy (2)`; Finder and iCloud: `terms copy`, `terms 2`; Linux: `terms (copy)`; downloads: `terms (1)`.
  /( [-–])? \(?(copy|kopie|kopi[aio]|copie|c[oó]pia|копия)( \(?\d+\)?)?\)?$/i,
  /(?<=^|\/)(copy of|kopie von|kopia|copie de|c[oó]pia de) /i,
  / \(?\d{1,2}\)?$/,
  // Dropbox, Nextcloud, Syncthing: `home (Kim's conflicted copy 2026-11-28)`, `home.sync-conflict-20261128-…`.
  / [([][^)\]]*(conflict|konflikt|conflit)[^)\]]*[)\]]$/i,
  /[._-](sync-)?conflict[\w-]*$/i,
  // OneDrive adds the name of the computer: `home-DESKTOP-4F2A`, `home-Kims-MacBook`.
  /(?<=^[^/]+)-[\w-]*(desktop|laptop|macbook|imac|surface|pc)[\w-]*$/i,
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
  const stem = removeMarks(whole.slice(0, whole.length - ending.length));
  const original = stem + ending;
  return original !== file && isRead(original) ? original : undefined;
}

/** Removes every mark: a copy of a copy has two, as in `home (1) (1)`. */
function removeMarks(stem: string): string {
  const mark = COPY_MARKS.find((each) => each.test(stem));
  return mark === undefined ? stem : removeMarks(stem.replace(mark, ''));
}

/** @returns what to do about a file that isn't read, to be appended to a sentence */
function suggestName(file: string, files: string[]): string {
  // Windows hides the second extension of `home.yaml.txt` and `portrait.jpg.jpg`.
  const small = file
    .toLowerCase()
    .replace(/\.(yaml|yml|md)\.txt$/, '.$1')
    .replace(/\.\w+(\.(jpe?g|png|webp|svg|ya?ml|md))$/, '$1')
    .replaceAll(/[ _]/g, '-');
  const stem = basename(small, extname(small));
  const name = dirname(file) === '.' ? findKnown(small, stem) : `${dirname(file)}/${toSlug(stem)}.md`;
  if (name === undefined) return suggestOther(stem);
  if (files.includes(name)) return `, and ${name} exists too. Keep one of them, and name it ${name}`;
  return DOCUMENT.test(file) ? `. Save its text as ${name}` : `. Name it ${name}`;
}

/** Files that can't be read as text under another name. */
const DOCUMENT = /\.(docx?|odt|rtf|pdf|pages|html?)$/i;

/** @returns the known name that this one misspells or begins with, such as `home.yaml` for `home-old.yaml` */
function findKnown(small: string, stem: string): string | undefined {
  if (KNOWN.includes(small)) return small;
  const isNear = (known: string) => {
    const ending = extname(known);
    const start = small.endsWith(ending) ? basename(known, ending) : known;
    return small.startsWith(start) && /^\W/.test(small.slice(start.length));
  };
  return [...YAML_FILES, POLICY_FILE].find((each) => basename(each, extname(each)) === stem) ?? KNOWN.find(isNear);
}

function suggestOther(stem: string): string {
  if (stem === 'portrait') return '. Save the picture as portrait.jpg';
  if (/^(mark|logo)$/.test(stem)) return '. Save the mark as mark.svg or mark.png';
  return '. Move it out of content/';
}
