import { isDeepStrictEqual } from 'node:util';
import type { Value } from './edit-yaml.ts';
import type { FieldState } from './draft.ts';
import type { FormField } from './describe-form.ts';

/** Describes how a field differs from what is live: the old words and the new ones, or a sentence. */
export function describeChange({ field, live, value }: FieldState): { old: string; now: string } | string {
  if (field.kind === 'list') return describeList(live as Value[], value as Value[]);
  if (field.kind === 'page') return value === true ? 'a new page' : 'this page goes';
  if (field.kind === 'picture') return describePicture(live, value);
  if (field.kind === 'markdown') return 'its text is changed';
  return { old: toWords(field, live), now: toWords(field, value) };
}

function describePicture(live: Value, value: Value): string {
  if (value === '') return 'taken out: the design’s own is shown';
  return live === '' ? 'a picture of your own' : 'another picture';
}

function describeList(live: Value[], value: Value[]): string {
  const isIn = (list: Value[]) => (entry: Value) => list.some((other) => isDeepStrictEqual(other, entry));
  const gone = live.filter((entry) => !isIn(value)(entry)).length;
  const fresh = value.filter((entry) => !isIn(live)(entry)).length;
  const changed = Math.min(gone, fresh);
  const kept = live.filter(isIn(value));
  const isMoved = !isDeepStrictEqual(kept, value.filter(isIn(live)));
  const counts = { changed, added: fresh - changed, 'taken out': gone - changed };
  const words = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  return [...words, ...(isMoved ? ['in another order'] : [])].join(', ') || 'written differently';
}

function toWords(field: FormField, value: Value): string {
  if (field.kind === 'toggle') return value === true ? 'Yes' : 'No';
  if (field.kind === 'group') {
    const group = value as Record<string, Value>;
    return field.fields
      .map((each) => toWords(each, group[each.name]!))
      .filter(Boolean)
      .join(', ');
  }
  return typeof value === 'string' ? value : '';
}
