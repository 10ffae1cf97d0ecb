import type { FormField } from './describe-form.ts';
import type { Value } from './edit-yaml.ts';
import type { FieldState } from './draft.ts';

/** The texts of a form, by the names of their fields. */
export type Texts = Record<string, string>;

/** Reads what a form sent. @returns by the key of each field that was in it */
export function readTyped(fields: FieldState[], texts: Texts): Map<string, Value> {
  return new Map(
    fields.flatMap(({ key, field }): [string, Value][] => {
      const value = readField(field, key, texts);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function readField(field: FormField, name: string, texts: Texts): Value | undefined {
  if (field.kind === 'group') {
    const entries = field.fields.map(
      (each) => [each.name, readField(each, `${name}.${each.name}`, texts) ?? ''] as const,
    );
    return Object.fromEntries(entries);
  }
  if (field.kind === 'list') return readList(field, name, texts);
  const text = texts[name];
  if (field.kind === 'toggle') return texts[`${name}.shown`] === undefined ? undefined : text !== undefined;
  if (field.kind === 'choice') return text !== undefined && field.options.includes(text) ? text : undefined;
  // In content/ a text is one paragraph.
  return text?.replaceAll(/\s+/g, ' ').trim();
}

/** The form says how many entries it has. */
function readList(field: FormField & { kind: 'list' }, name: string, texts: Texts): Value | undefined {
  const count = texts[`${name}.count`];
  if (count === undefined || !/^\d{1,3}$/.test(count)) return undefined;
  return Array.from({ length: Number(count) }, (_, index) => readField(field.entry, `${name}.${index}`, texts) ?? '');
}

/**
 * Changes the order or the number of a list's entries.
 * @param act such as `up 2`, with the place of the entry counted from 0, or `add`
 * @throws when the list would have too many or too few
 */
export function changeEntries(field: FormField & { kind: 'list' }, list: Value[], act: string): Value[] {
  const [verb, place = ''] = act.split(' ');
  const index = Number(place);
  const { label, min, max } = field;
  if (verb === 'add') {
    if (list.length >= max) throw new Error(`${label}: at most ${max} are shown. Take one out first.`);
    return [...list, makeEmpty(field.entry)];
  }
  const changed = [...list];
  const [entry] = changed.splice(index, 1);
  if (entry === undefined) return list;
  if (verb === 'remove' && list.length <= min) throw new Error(`${label}: at least ${min} are needed. Add one first.`);
  if (verb === 'up') changed.splice(Math.max(0, index - 1), 0, entry);
  if (verb === 'down') changed.splice(index + 1, 0, entry);
  return changed;
}

function makeEmpty(field: FormField): Value {
  if (field.kind === 'group') return Object.fromEntries(field.fields.map((each) => [each.name, makeEmpty(each)]));
  if (field.kind === 'list') return Array.from({ length: field.min }, () => makeEmpty(field.entry));
  if (field.kind === 'choice') return field.initial || field.options[0]!;
  return field.kind === 'toggle' ? field.initial : '';
}
