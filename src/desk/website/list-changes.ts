import { isDeepStrictEqual } from 'node:util';
import { countInWords } from '#newsletter/format.ts';
import type { Value } from '#content/edit-yaml.ts';
import type { FieldState } from './draft.ts';

/** Describes how a field differs from what is live: the old text and the new, or a sentence. */
export function describeChange({ field, live, value }: FieldState): { old: string; now: string } | string {
  if (field.kind === 'page') return value === true ? 'a new page' : 'page removed';
  if (field.kind === 'markdown') return 'text changed';
  if (field.kind === 'picture') {
    if (value === '') return 'picture removed; the default is shown';
    return live === '' ? 'a picture of your own' : 'another picture';
  }
  if (field.kind === 'list') return describeList(live as Value[], value as Value[]);
  return { old: toText(live), now: toText(value) };
}

function describeList(live: Value[], value: Value[]): string {
  const [kept, stayed] = [common(live, value), common(value, live)];
  const [gone, added] = [live.length - kept.length, value.length - stayed.length];
  const changed = Math.min(gone, added);
  const counts = { changed, added: added - changed, removed: gone - changed };
  const parts = Object.entries(counts).flatMap(([what, count]) =>
    count > 0 ? [`${countInWords(count)} ${what}`] : [],
  );
  return [...parts, ...(isDeepStrictEqual(kept, stayed) ? [] : ['reordered'])].join(', ');
}

function common(list: Value[], others: Value[]): Value[] {
  return list.filter((entry) => others.some((other) => isDeepStrictEqual(other, entry)));
}

/** Joins all the strings of a value, in order. */
export function toText(value: Value): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  return Object.values(value ?? {})
    .map(toText)
    .filter(Boolean)
    .join(', ');
}
