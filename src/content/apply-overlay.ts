import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPlace, leaveOut, type Overlay, PAGE_PREFIX, PICTURE_SOURCE, setIn, toKey } from './overlay.ts';
import type { Drafts, FileError } from './parse-content.ts';
import {
  changeSource,
  PICTURES,
  type PictureName,
  readSource,
  readValues,
  type SourceName,
  toFile,
} from './source-files.ts';

/** A field that the owner has changed, but whose value the site can no longer show. */
export type Misfit = { key: string; message: string };

/** The files that an overlay changes, and the fields that had to be left out. */
export type AppliedOverlay = { drafts: Drafts; misfits: Misfit[] };

/**
 * The content to which an overlay is applied. @property folder absolute path of content/
 * @property readPicture returns a stored picture's bytes; undefined if there is none with this name
 */
export type Base = { folder: string; readPicture: (name: string) => Buffer | undefined };

/**
 * Applies an overlay to content/, except for fields that don't fit: leaves out the field that an error names or, if it
 * names none, the field without which there are the fewest errors.
 * @param find runs the build's checks, and returns every error in content/ with these drafts
 */
export function fitOverlay(base: Base, overlay: Overlay, find: (drafts: Drafts) => FileError[]): AppliedOverlay {
  const misfits = [...applyOverlay(base, overlay).misfits];
  for (;;) {
    const left = leaveOut(overlay, misfits);
    const { drafts } = applyOverlay(base, left);
    const errors = find(drafts);
    if (errors.length === 0 || Object.keys(left).length === 0) return { drafts, misfits };
    const named = Object.keys(left).flatMap((key) => {
      const error = errors.find((each) => isWithin(key, toKey(each)));
      return error === undefined ? [] : [{ key, message: error.message }];
    });
    if (named.length > 0) misfits.push(...named);
    else {
      const counts = Object.keys(left).map((key) => {
        return { key, count: find(applyOverlay(base, leaveOut(left, [{ key }])).drafts).length };
      });
      const { key } = counts.toSorted((one, other) => one.count - other.count)[0]!;
      misfits.push({ key, message: errors[0]!.message });
    }
  }
}

/** Whether one of two keys is the other, or within it. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Writes the values of an overlay into the files of content/. Fields that don't exist there are misfits. */
export function applyOverlay(base: Base, overlay: Overlay): AppliedOverlay {
  const drafts = new Map<string, Buffer | undefined>();
  const misfits: Misfit[] = [];
  for (const [name, keys] of Map.groupBy(Object.keys(overlay), (key) => findPlace(key).name)) {
    if (name === PICTURE_SOURCE) keys.forEach((key) => applyPicture(base, overlay, key, { drafts, misfits }));
    else if (name.startsWith(PAGE_PREFIX)) {
      if (overlay[name]!.value === false) drafts.set(toFile(name.slice(PAGE_PREFIX.length)), undefined);
    } else if (overlay[PAGE_PREFIX + name]?.value !== false) {
      if (overlay[PAGE_PREFIX + name] === undefined && !existsSync(join(base.folder, toFile(name)))) {
        misfits.push(...keys.map((key) => ({ key, message: NO_FILE })));
      } else applyFields(base, overlay, { name, keys }, { drafts, misfits });
    }
  }
  return { drafts, misfits };
}

const UNKNOWN = 'the site now has a different kind of field here';
const NO_PICTURE = 'this picture is no longer stored';
const NO_FILE = 'this page no longer exists';

type Result = { drafts: Map<string, Buffer | undefined>; misfits: Misfit[] };

function applyPicture({ folder, readPicture }: Base, overlay: Overlay, key: string, { drafts, misfits }: Result): void {
  const [picture = ''] = findPlace(key).path;
  const { value } = overlay[key]!;
  if (!Object.hasOwn(PICTURES, picture) || typeof value !== 'string') {
    misfits.push({ key, message: UNKNOWN });
    return;
  }
  const bytes = value === '' ? undefined : readPicture(value);
  if (value !== '' && bytes === undefined) {
    misfits.push({ key, message: NO_PICTURE });
    return;
  }
  const own = `${picture}${/\.\w+$/.exec(value)?.[0] ?? ''}`;
  for (const file of PICTURES[picture as PictureName]) {
    if (file === own) drafts.set(file, bytes);
    else if (existsSync(join(folder, file))) drafts.set(file, undefined);
  }
}

type FieldsOfFile = { name: SourceName; keys: string[] };

function applyFields(
  { folder }: Base,
  overlay: Overlay,
  { name, keys }: FieldsOfFile,
  { drafts, misfits }: Result,
): void {
  const source = readSource(folder, name);
  const write = (written: string[]) => {
    const values = written.reduce(
      (whole, key) => setIn(whole, findPlace(key).path, overlay[key]!.value ?? undefined),
      readValues(name, source),
    );
    return Buffer.from(changeSource(name, source, values));
  };
  const isWritable = (written: string[]) => {
    try {
      drafts.set(toFile(name), write(written));
      return true;
    } catch {
      return false;
    }
  };
  if (isWritable(keys)) return;
  // A value that can't be written must not affect the others.
  const written: string[] = [];
  for (const key of keys) {
    if (isWritable([...written, key])) written.push(key);
    else misfits.push({ key, message: UNKNOWN });
  }
}
