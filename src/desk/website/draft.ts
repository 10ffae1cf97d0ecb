import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { decodeText } from '#content/decode-text.ts';
import { SCHEMAS } from '#content/read-content.ts';
import { type FileName, toShown, toWritten } from './describe-form.ts';
import { changeYaml, readYaml, type Value } from './edit-yaml.ts';
import { listFields, type PartField, SITE_PARTS, type SitePart } from './site-parts.ts';

/**
 * What the owner wrote in a field and is not in its file yet. @property base what the file had there when she began
 * @property earlier what another window had written, and this one has written over
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

/** The owner's unpublished words, beside the files that they are for. */
export type Site = { content: string; draftFile: string };

export type Sources = Record<FileName, string>;

/** @returns the text of each file of content/ */
export function readSources({ content }: Site): Sources {
  const read = (name: string) => decodeText(readFileSync(join(content, `${name}.yaml`))).text;
  return Object.fromEntries(Object.keys(SCHEMAS).map((name) => [name, read(name) ?? ''])) as Sources;
}

/** The fields of some parts, as her draft has them. */
export function readFields(site: Site, parts: SitePart[] = SITE_PARTS): FieldState[] {
  const draft = readDraft(site);
  const sources = readSources(site);
  const values = new Map<FileName, Value>();
  return parts.flatMap(listFields).map((each) => {
    const { key, file, path, field } = each;
    if (!values.has(file)) values.set(file, readYaml(sources[file]));
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

/** What a form carries to say which words it began with. */
export function signWords(fields: FieldState[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ key, value }) => [key, signValue(value)]));
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

/** Puts back what the files have. */
export function dropWords(site: Site, keys: string[]): void {
  const draft = readDraft(site);
  for (const key of keys) delete draft[key];
  writeDraft(site, draft);
}

/** She has seen what the file, or another window, has in a field, and keeps hers. */
export function confirmWords(site: Site, { key, live }: FieldState): void {
  const draft = readDraft(site);
  const entry = draft[key];
  if (entry) draft[key] = { value: entry.value, base: live };
  writeDraft(site, draft);
}

/** @returns the files with her words in them, of which only those that change are given */
export function applyDraft(site: Site, fields: FieldState[]): Partial<Sources> {
  const sources = readSources(site);
  const byFile = Map.groupBy(
    fields.filter(({ isChanged }) => isChanged),
    ({ file }) => file,
  );
  return Object.fromEntries(
    [...byFile].map(([file, changed]) => {
      const before = readYaml(sources[file]);
      const after = changed.reduce(
        (whole, { path, field, value }) => setIn(whole, path, toWritten(field, value, getIn(whole, path))),
        before,
      );
      return [file, changeYaml(sources[file], after)];
    }),
  );
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
