import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isGroup, type Value } from './edit-yaml.ts';
import type { FileError } from './parse-content.ts';
import {
  type PictureName,
  PICTURES,
  readPictures,
  readSource,
  readValues,
  type SourceName,
  toFile,
} from './source-files.ts';
import { formatFieldName } from './text/yaml-text.ts';

/**
 * The owner's changes to content/, by the key of the field, such as `home.hero.headline` or `pages/terms.text`. The
 * value of `page:pages/terms` is whether that page exists, and the value of `picture.portrait` the name of a stored
 * picture.
 */
export type Overlay = Record<string, OverlayField>;

/**
 * @property value as it is written in its file; null leaves the field out
 * @property over Git's value when this one was published; null if it had none
 */
export type OverlayField = { value: Value; over: Value };

/** The prefix of the key whose value is whether a page exists. */
export const PAGE_PREFIX = 'page:';

/** The first part of the keys of pictures, which are fields too. */
export const PICTURE_SOURCE = 'picture';

/** @returns the name of a field's file, and its path in the file */
export function findPlace(key: string): { name: SourceName; path: string[] } {
  if (key.startsWith(PAGE_PREFIX)) return { name: key, path: [] };
  const [name = '', ...path] = key.split('.');
  return { name, path };
}

/**
 * @param folder absolute path of content/
 * @returns the value of a field in its files, or the name of a picture; null if there is none
 */
export function readBase(folder: string, key: string): Value {
  const { name, path } = findPlace(key);
  if (name === PICTURE_SOURCE) return readPictures(folder)[path[0] as PictureName] ?? null;
  if (name.startsWith(PAGE_PREFIX)) return existsSync(join(folder, toFile(name.slice(PAGE_PREFIX.length))));
  return getIn(readValues(name, readSource(folder, name)), path) ?? null;
}

/** @returns the key of the field that contains an error, or of a place within it, such as `faq.items.2.answer` */
export function toKey({ file, field }: Pick<FileError, 'file' | 'field'>): string {
  const [, name = file, ending] = /^(.+)\.(\w+)$/.exec(file) ?? [];
  if (PICTURE_FILES.has(file)) return `${PICTURE_SOURCE}.${name}`;
  const place = field === undefined && ending === 'md' ? ['text'] : toPath(field ?? '');
  return [name, ...place].join('.');
}

const PICTURE_FILES: ReadonlySet<string> = new Set(Object.values(PICTURES).flat());

/** `items > 3 > answer`, as `formatFieldName` counts, is the path `items.2.answer`. */
function toPath(field: string): string[] {
  const parts = field === '' ? [] : field.split(formatFieldName(['', '']));
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) - 1) : part));
}

export function getIn(value: Value | undefined, [name, ...rest]: string[]): Value | undefined {
  if (name === undefined || value === undefined) return value;
  return isGroup(value) ? getIn(value[name], rest) : undefined;
}

/** @param to undefined removes it */
export function setIn(value: Value | undefined, [name, ...rest]: string[], to: Value | undefined): Value {
  const group = isGroup(value) ? { ...value } : {};
  const changed = rest.length === 0 ? to : setIn(group[name!], rest, to);
  if (changed === undefined) delete group[name!];
  else group[name!] = changed;
  return group;
}

/** Applies changes to an overlay. Fields that are the same as in Git are removed, as are those of a removed page. */
export function mergeOverlays(before: Overlay, changes: Overlay): Overlay {
  const removed = Object.keys(changes).filter((key) => key.startsWith(PAGE_PREFIX) && changes[key]!.value === false);
  const names = new Set(removed.map((key) => key.slice(PAGE_PREFIX.length)));
  const entries = Object.entries({ ...before, ...changes });
  return Object.fromEntries(
    entries.filter(([key, { value, over }]) => !isDeepStrictEqual(value, over) && !names.has(findPlace(key).name)),
  );
}

/** @returns the overlay without some fields */
export function leaveOut(overlay: Overlay, fields: { key: string }[]): Overlay {
  const keys = new Set(fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(overlay).filter(([key]) => !keys.has(key)));
}
