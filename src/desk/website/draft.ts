import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toShown, toWritten } from './describe-form.ts';
import type { Value } from '#content/edit-yaml.ts';
import { listParts, type PartField, PICTURE_SOURCE, type SitePart, toPageKey } from './site-parts.ts';
import {
  changeSource,
  listPages,
  PICTURES,
  readPictures,
  readSource,
  readValues,
  type SourceName,
  toFile,
} from '#content/source-files.ts';

/**
 * The owner's words for a field, which aren't in its file yet. @property base what the file had when she began
 * @property earlier what another window wrote before this one overwrote it
 */
type Entry = { value: Value; base: Value; earlier?: Value };

/** By the key of the field. */
type Draft = Record<string, Entry>;

/**
 * A field with what it shows. @property live what the file has @property value the draft's words, or the file's
 * @property isConflict whether the file has changed since she began to change the field
 */
export type FieldState = PartField & {
  live: Value;
  value: Value;
  earlier?: Value;
  isChanged: boolean;
  isConflict: boolean;
};

/** The owner's unpublished words, beside the files that they are for. @property links what links may lead to */
export type Site = { content: string; draftFile: string; links?: () => LinkTargets };

/** @property pages the paths of the pages that visitors see @property publicFolder absolute path of public/ */
export type LinkTargets = { pages: string[]; publicFolder: string };

/** A file of content/ by its path there, as the draft has it; undefined bytes are for a file that goes. */
export type DraftFile = { path: string; bytes: Buffer | undefined };

/** Every part of the site, with the pages that her draft adds. */
export function readParts(site: Site): SitePart[] {
  const added = Object.keys(readDraft(site)).flatMap((key) => /^page:(.+)$/.exec(key)?.[1] ?? []);
  return listParts([...new Set([...listPages(site.content), ...added])]);
}

/** The fields of some parts, as her draft has them. @throws when a file can't be read, with its name */
export function readFields(site: Site, parts: SitePart[] = readParts(site)): FieldState[] {
  const draft = readDraft(site);
  const values = new Map<SourceName, Value>();
  return parts
    .flatMap(({ fields }) => fields)
    .map((each) => {
      const { key, file, path, field } = each;
      if (!values.has(file)) values.set(file, readLive(site, file));
      const live = toShown(field, getIn(values.get(file), path));
      const entry = draft[key];
      if (entry === undefined || isDeepStrictEqual(entry.value, live)) {
        return { ...each, live, value: live, isChanged: false, isConflict: false };
      }
      const { value, base, earlier } = entry;
      const isConflict = !isDeepStrictEqual(base, live);
      return { ...each, live, value, isChanged: true, isConflict, ...(earlier !== undefined && { earlier }) };
    });
}

function readLive({ content }: Site, file: SourceName): Value {
  if (file === PICTURE_SOURCE) return readPictures(content);
  if (file === toPageKey('')) return Object.fromEntries(listPages(content).map((name) => [name, true]));
  try {
    return readValues(file, readSource(content, file));
  } catch (error) {
    throw new Error(`${toFile(file)}: ${(error as Error).message}`, { cause: error });
  }
}

/** Signs the words that a form begins with: it sends the signatures back with what was typed. */
export function signWords(values: Iterable<[key: string, value: Value]>): Record<string, string> {
  return Object.fromEntries([...values].map(([key, value]) => [key, signValue(value)]));
}

function signValue(value: Value): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 12);
}

/**
 * Keeps what a window sent. Fields that it didn't change keep the words of other windows; if both changed one, the later
 * wins, and the earlier words stay beside it.
 * @param typed by the key of the field
 * @param began as `signWords` gave it when the window's page was made
 */
export function keepTyped(
  site: Site,
  fields: FieldState[],
  typed: Map<string, Value>,
  began: Record<string, string>,
): void {
  const draft = readDraft(site);
  for (const { key, live, value } of fields) {
    const written = typed.get(key);
    if (written === undefined || signValue(written) === began[key] || isDeepStrictEqual(written, value)) continue;
    const isOvertaken = began[key] !== undefined && began[key] !== signValue(value);
    const base = draft[key]?.base ?? live;
    if (isDeepStrictEqual(written, live) && !isOvertaken) delete draft[key];
    else draft[key] = { value: written, base, ...(isOvertaken && { earlier: value }) };
  }
  writeDraft(site, draft);
}

/** Adds a page to the draft. @param facts its first words, by field */
export function addPage(site: Site, file: SourceName, facts: Record<string, string>): void {
  const draft = readDraft(site);
  draft[toPageKey(file)] = { value: true, base: false };
  for (const [name, value] of Object.entries(facts)) draft[`${file}.${name}`] = { value, base: '' };
  writeDraft(site, draft);
}

/** Removes published words from the draft. What she typed meanwhile is a change of them. */
export function settleDraft(site: Site, published: FieldState[]): void {
  const draft = readDraft(site);
  for (const { key, value } of published) {
    const entry = draft[key];
    if (entry === undefined) continue;
    if (isDeepStrictEqual(entry.value, value)) delete draft[key];
    else draft[key] = { ...entry, base: value };
  }
  writeDraft(site, draft);
}

/** Puts back what the files have. */
export function dropWords(site: Site, keys: string[]): void {
  const draft = readDraft(site);
  for (const key of keys) delete draft[key];
  writeDraft(site, draft);
}

/** Keeps her words in a field after she has seen the file's, or another window's. */
export function confirmWords(site: Site, { key, live }: FieldState): void {
  const draft = readDraft(site);
  const entry = draft[key];
  if (entry) draft[key] = { value: entry.value, base: live };
  writeDraft(site, draft);
}

/** The files that publishing writes or removes. @param fields all that she changed */
export function listDraftFiles(site: Site, fields: FieldState[] = readFields(site)): DraftFile[] {
  const changes = fields.filter(({ isChanged }) => isChanged);
  const removed = changes.flatMap(({ file, path, value }) => (file === toPageKey('') && !value ? path : []));
  return [...Map.groupBy(changes, ({ file }) => file)].flatMap(([file, changed]): DraftFile[] => {
    if (file === PICTURE_SOURCE) return changed.flatMap((change) => listPictureFiles(site, change));
    if (file === toPageKey('')) return removed.map((name) => ({ path: toFile(name), bytes: undefined }));
    if (removed.includes(file)) return [];
    const source = readSource(site.content, file);
    const after = changed.reduce(
      (whole, { path, field, value }) => setIn(whole, path, toWritten(field, value, getIn(whole, path))),
      readValues(file, source),
    );
    return [{ path: toFile(file), bytes: Buffer.from(changeSource(file, source, after)) }];
  });
}

function listPictureFiles(site: Site, { field, value }: FieldState): DraftFile[] {
  const name = value as string;
  const files = PICTURES[field.name as keyof typeof PICTURES];
  const ending = /\.\w+$/.exec(name)?.[0];
  return files
    .filter((path) => existsSync(join(site.content, path)) || path === `${field.name}${ending}`)
    .map((path) => {
      const isKept = path === `${field.name}${ending}`;
      return { path, bytes: isKept ? readFileSync(join(pictureFolder(site), name)) : undefined };
    });
}

/** The folder of the draft's pictures. */
export function pictureFolder({ draftFile }: Site): string {
  return join(dirname(draftFile), 'pictures');
}

function getIn(value: Value | undefined, [name, ...rest]: string[]): Value | undefined {
  if (name === undefined || value === undefined) return value;
  return typeof value === 'object' && value !== null ? getIn((value as Record<string, Value>)[name], rest) : undefined;
}

function setIn(value: Value | undefined, [name, ...rest]: string[], to: Value | undefined): Value {
  const group = typeof value === 'object' && value !== null ? { ...(value as Record<string, Value>) } : {};
  const changed = rest.length === 0 ? to : setIn(group[name!], rest, to);
  if (changed === undefined) delete group[name!];
  else group[name!] = changed;
  return group;
}

function readDraft({ draftFile }: Site): Draft {
  return existsSync(draftFile) ? (JSON.parse(readFileSync(draftFile, 'utf8')) as Draft) : {};
}

/** Writes it whole or not at all. */
function writeDraft({ draftFile }: Site, draft: Draft): void {
  mkdirSync(dirname(draftFile), { recursive: true });
  writeFileSync(`${draftFile}.unfinished`, JSON.stringify(draft, undefined, 2));
  renameSync(`${draftFile}.unfinished`, draftFile);
}
