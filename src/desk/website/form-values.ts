import { cleanTyped } from '#content/text/clean-typed.ts';
import { findVariant, type FormField } from './describe-form.ts';
import { TAG_PRESETS } from './tag-presets.ts';
import type { Value } from '#content/edit-yaml.ts';
import type { FieldState } from './draft.ts';

/** A form's values, by field name. */
export type FormStrings = Record<string, string>;

/** Reads what a form sent. @returns the values of the fields that were in it, by key */
export function readFormValues(fields: FieldState[], strings: FormStrings): Map<string, Value> {
  return new Map(
    fields.flatMap(({ key, field }): [string, Value][] => {
      const value = readField(field, key, strings);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function readField(field: FormField, name: string, strings: FormStrings): Value | undefined {
  if (field.kind === 'group') {
    const entries = field.fields.map(
      (each) => [each.name, readField(each, `${name}.${each.name}`, strings) ?? ''] as const,
    );
    return Object.fromEntries(entries);
  }
  if (field.kind === 'list') return readList(field, name, strings);
  if (field.kind === 'variants') {
    const variant = field.variants[strings[`${name}.kind`] ?? ''];
    const group = variant && readField(variant, name, strings);
    return variant && { kind: variant.name, ...(group as Record<string, Value>) };
  }
  const text = strings[name] && cleanTyped(strings[name]);
  if (field.kind === 'toggle') return strings[`${name}.shown`] === undefined ? undefined : text !== undefined;
  if (field.kind === 'choice') return text !== undefined && field.options.includes(text) ? text : undefined;
  if (field.kind === 'picture' || field.kind === 'page') return undefined;
  if (field.kind === 'markdown') return text?.trim();
  // In content/, a string is one paragraph.
  return text?.replaceAll(/\s+/g, ' ').trim();
}

/** The form sends the number of the list's entries. */
function readList(field: FormField & { kind: 'list' }, name: string, strings: FormStrings): Value | undefined {
  const count = strings[`${name}.count`];
  if (count === undefined || !/^\d{1,3}$/.test(count)) return undefined;
  return Array.from({ length: Number(count) }, (_, index) => readField(field.entry, `${name}.${index}`, strings) ?? '');
}

/**
 * @property list its name, such as `faq.items`
 * @property index of the entry, from 0; an added entry is the last
 * @property variant the kind of an added entry, if there are several
 */
export type ListChange = { action: ListAction; list: string; index: number; variant?: string | undefined };
export type ListAction = 'add' | 'remove' | 'up' | 'down';

/**
 * Changes the order or the number of a list's entries.
 * @returns the field's new value
 * @throws when the list would have too many or too few
 */
export function changeList(
  { key, field, value }: Pick<FieldState, 'key' | 'field' | 'value'>,
  { action, list: name, index, variant }: ListChange,
): Value {
  const path = name.slice(key.length).split('.').slice(1);
  return changeAt(field, value, path, (list, entries) => changeEntries(list, entries, { action, index, variant }));
}

type ListField = FormField & { kind: 'list' };

function changeAt(
  field: FormField,
  value: Value,
  [name, ...rest]: string[],
  change: (field: ListField, entries: Value[]) => Value[],
): Value {
  if (field.kind === 'list' && name === undefined) return change(field, value as Value[]);
  if (field.kind === 'list') {
    const entries = value as Value[];
    return entries.map((entry, index) => (index === Number(name) ? changeAt(field.entry, entry, rest, change) : entry));
  }
  if (field.kind === 'variants') {
    const variant = findVariant(field, value);
    return variant ? changeAt(variant, value, [name!, ...rest], change) : value;
  }
  const inner = field.kind === 'group' ? field.fields.find((each) => each.name === name) : undefined;
  if (inner === undefined) return value;
  const group = value as Record<string, Value>;
  return { ...group, [inner.name]: changeAt(inner, group[inner.name]!, rest, change) };
}

function changeEntries(
  { label, min, max, entry }: ListField,
  list: Value[],
  { action, index, variant }: Omit<ListChange, 'list'>,
): Value[] {
  if (action === 'add') {
    if (list.length >= max) throw new Error(`${label}: at most ${max} are shown. Remove one first.`);
    return [...list, entry.kind === 'variants' ? makeVariant(entry, variant) : makeEmpty(entry)];
  }
  const changed = [...list];
  const [moved] = changed.splice(index, 1);
  if (moved === undefined) return list;
  if (action === 'remove' && list.length <= min)
    throw new Error(`${label}: at least ${min} are needed. Add one first.`);
  if (action === 'up') changed.splice(Math.max(0, index - 1), 0, moved);
  if (action === 'down') changed.splice(index + 1, 0, moved);
  return changed;
}

function makeVariant({ variants }: FormField & { kind: 'variants' }, kind = ''): Value {
  const variant = variants[kind];
  if (variant === undefined) throw new Error('Choose one of the kinds.');
  return { kind, ...(makeEmpty(variant) as Record<string, Value>), ...TAG_PRESETS[kind]?.values };
}

function makeEmpty(field: FormField): Value {
  if (field.kind === 'group') return Object.fromEntries(field.fields.map((each) => [each.name, makeEmpty(each)]));
  if (field.kind === 'list') return Array.from({ length: field.min }, () => makeEmpty(field.entry));
  if (field.kind === 'choice') return field.initial || field.options[0]!;
  return field.kind === 'toggle' ? field.initial : '';
}
