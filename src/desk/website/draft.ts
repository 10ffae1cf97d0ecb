import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Value } from '#content/edit-yaml.ts';
import { applyOverlay } from '#content/apply-overlay.ts';
import { getIn, type Overlay, PICTURE_SOURCE, readBase } from '#content/overlay.ts';
import type { Drafts } from '#content/parse-content.ts';
import { listPages, readPictures, readSource, readValues, type SourceName } from '#content/source-files.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { changeDraft, type Draft, type DraftField } from '#publishing/content-drafts.ts';
import { toShown, toWritten } from './describe-form.ts';
import { listParts, type PartField, type SitePart, toPageKey } from './site-parts.ts';

/**
 * A field with its values. @property live what visitors see @property value the draft's value, or the live one
 * @property isConflict whether another value has gone live since the field was first changed
 * @property git the software's own value, if it has changed since the owner replaced it
 */
export type FieldState = PartField & {
  live: Value;
  value: Value;
  earlier?: Value;
  changedBy?: string;
  isChanged: boolean;
  isConflict: boolean;
  git?: Value;
};

/** The live content and the draft, as they were when a page was requested. */
export type Site = {
  /** Absolute path of the folder with the content that visitors see. */
  content: string;
  /** Absolute path of the content as it is in Git. */
  git: string;
  /** The overlay over Git's content. */
  overlay: Overlay;
  /** The number of the version with this overlay. */
  number: number;
  draft: Draft;
  store: Store;
  /** Who changes the draft: an email address. */
  by: string;
  /** The paths and files that links may lead to. */
  links?: () => LinkTargets;
};

/** @property pages the paths of the pages that visitors see @property publicFolder absolute path of public/ */
export type LinkTargets = { pages: string[]; publicFolder: string };

/** Lists every part of the site, with the pages that the draft adds. */
export function readParts({ content, draft }: Pick<Site, 'content' | 'draft'>): SitePart[] {
  const added = Object.keys(draft).flatMap((key) => /^page:(.+)$/.exec(key)?.[1] ?? []);
  return listParts([...new Set([...listPages(content), ...added])]);
}

/**
 * Reads the fields of some parts, with the draft's values. Fields of a file that can't be read are left out: if a
 * static host serves the site, the files may contain anything, such as Git's conflict markers.
 */
export function readFields(site: Site, parts: SitePart[] = readParts(site)): FieldState[] {
  const values = new Map<SourceName, Value | undefined>();
  return parts
    .flatMap(({ fields }) => fields)
    .flatMap((each) => {
      const { key, file, path, field } = each;
      if (!values.has(file)) values.set(file, readLive(site, file));
      const whole = values.get(file);
      if (whole === undefined) return [];
      const live = toShown(field, getIn(whole, path));
      const state = compare({ ...each, live }, site.draft[key]);
      const over = site.overlay[key]?.over;
      const git = over === undefined ? undefined : readBase(site.git, key);
      if (git === undefined || isDeepStrictEqual(git, over)) return state;
      return { ...state, git: toShown(field, git) };
    });
}

function compare<Field extends PartField & { live: Value }>(field: Field, entry: Draft[string] | undefined) {
  const { live } = field;
  if (entry === undefined || isDeepStrictEqual(entry.value, live)) {
    return { ...field, value: live, isChanged: false, isConflict: false };
  }
  const { value, base, earlier, changedBy } = entry;
  const isConflict = !isDeepStrictEqual(base, live);
  return { ...field, value, isChanged: true, isConflict, changedBy, ...(earlier !== undefined && { earlier }) };
}

/** @returns undefined if the file can't be read */
function readLive({ content }: Site, file: SourceName): Value | undefined {
  if (file === PICTURE_SOURCE) return readPictures(content);
  if (file === toPageKey('')) return Object.fromEntries(listPages(content).map((name) => [name, true]));
  try {
    return readValues(file, readSource(content, file));
  } catch {
    return undefined;
  }
}

/** Hashes the values that a form starts with. The form sends the hashes back with its fields. */
export function hashValues(values: Iterable<[key: string, value: Value]>): Record<string, string> {
  return Object.fromEntries([...values].map(([key, value]) => [key, hashValue(value)]));
}

function hashValue(value: Value): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 12);
}

/**
 * Saves what a window sent. Fields that it didn't change keep the text of other windows; if both changed one, the later
 * wins, and the earlier text is kept with it.
 * @param values by the key of the field
 * @param began the hashes of the values with which the window's page was rendered
 */
export function saveFields(
  { store, by }: Site,
  fields: FieldState[],
  values: Map<string, Value>,
  began: Record<string, string>,
): Promise<void> {
  return changeDraft(store, by, (draft) => {
    const changes: Record<string, DraftField | undefined> = {};
    for (const field of fields) {
      const { key, live } = field;
      const { value } = compare(field, draft[key]);
      const written = values.get(key);
      if (written === undefined || hashValue(written) === began[key] || isDeepStrictEqual(written, value)) continue;
      const isOvertaken = began[key] !== undefined && began[key] !== hashValue(value);
      const base = draft[key]?.base ?? live;
      const isUndone = isDeepStrictEqual(written, live) && !isOvertaken;
      changes[key] = isUndone ? undefined : { value: written, base, ...(isOvertaken && { earlier: value }) };
    }
    return changes;
  });
}

/** Adds a page to the draft. @param initial its initial values, by field */
export function addPage({ store, by }: Site, file: SourceName, initial: Record<string, string>): Promise<void> {
  const entries = Object.entries(initial).map(([name, value]) => [`${file}.${name}`, { value, base: '' }] as const);
  return changeDraft(store, by, () => ({
    [toPageKey(file)]: { value: true, base: false },
    ...Object.fromEntries(entries),
  }));
}

/** Removes published changes from the draft. Anything typed in the meantime remains, as a new change. */
export function settle(draft: Draft, published: FieldState[]): Record<string, DraftField | undefined> {
  const changes = published.flatMap(({ key, value }): [string, DraftField | undefined][] => {
    const entry = draft[key];
    if (entry === undefined) return [];
    return [[key, isDeepStrictEqual(entry.value, value) ? undefined : { ...entry, base: value }]];
  });
  return Object.fromEntries(changes);
}

/** Reverts fields to what visitors see. */
export function discardChanges({ store, by }: Site, keys: string[]): Promise<void> {
  return changeDraft(store, by, () => Object.fromEntries(keys.map((key) => [key, undefined])));
}

/** Keeps the draft's value of a field after the owner has seen the live one, or another window's. */
export function keepDraftValue({ store, by }: Site, { key, live }: FieldState): Promise<void> {
  return changeDraft(store, by, (draft) => {
    const entry = draft[key];
    return entry === undefined ? {} : { [key]: { value: entry.value, base: live } };
  });
}

/** Lists the files that the draft changes. @param fields all changed fields */
export function listDraftFiles(site: Site, fields: FieldState[] = readFields(site)): Drafts {
  const isPicture = ({ file }: FieldState) => file === PICTURE_SOURCE;
  const overlay = toOverlay(
    site,
    fields.filter((field) => !isPicture(field)),
  );
  return applyOverlay({ folder: site.content, readPicture: () => undefined }, overlay).drafts;
}

/** Creates an overlay of the changed fields. */
export function toOverlay(site: Site, fields: FieldState[]): Overlay {
  const changes = fields.filter(({ isChanged }) => isChanged);
  return Object.fromEntries(
    changes.map(({ key, file, path, field, value }) => {
      const isText = file !== PICTURE_SOURCE && file !== toPageKey('');
      const written = isText ? getIn(readValues(file, readSource(site.content, file)), path) : undefined;
      const entry = {
        value: isText ? (toWritten(field, value, written) ?? null) : value,
        over: readBase(site.git, key),
      };
      return [key, entry];
    }),
  );
}
