import { z } from 'zod';
import { listInstalledFamilies } from '#content/brand/font-families.ts';
import { SCHEMAS } from '#content/parse-content.ts';
import { markdownPageSchema } from '#content/schemas/content-schema.ts';
import { isGroup, type Value } from '#content/edit-yaml.ts';
import { TAG_PRESETS } from './tag-presets.ts';

/** The name of a YAML file in content/, without its extension. */
export type YamlName = keyof typeof SCHEMAS;

type Named = { name: string; label: string; hint?: string; isOptional: boolean };

/** A field of a form, as its schema describes it. */
export type FormField =
  | (Named & { kind: 'text'; isLong: boolean; initial: string })
  | (Named & { kind: 'markdown'; initial: string })
  | (Named & { kind: 'picture'; initial: string })
  | (Named & { kind: 'page' })
  | (Named & { kind: 'choice'; options: string[]; initial: string })
  | (Named & { kind: 'toggle'; initial: boolean })
  | (Named & { kind: 'list'; entry: FormField; min: number; max: number })
  | (Named & { kind: 'group'; fields: FormField[] })
  /** A group whose fields depend on its `kind`, such as a tag. */
  | (Named & { kind: 'variants'; variants: Record<string, GroupField> });

export type GroupField = Named & { kind: 'group'; fields: FormField[] };

type Form = GroupField;

/** Describes the form of a file: a group of all its fields, with the labels and hints from its schema. */
export function describeForm(file: YamlName): Form {
  return remember(file, () => describeSchema(file, SCHEMAS[file]));
}

/** Describes the form of a page in Markdown: its front matter and its text. */
export function describePage(): Form {
  return remember('page', () => {
    const form = describeSchema('page', markdownPageSchema);
    const hint =
      'Start a line with ## for a heading or - for a list; put **two stars** on each side of bold text; write a link as [words](address).';
    const text: FormField = { name: 'text', label: 'Text', hint, isOptional: false, kind: 'markdown', initial: '' };
    return { ...form, fields: [...form.fields, text] };
  });
}

function describeSchema(name: string, schema: z.ZodType): Form {
  return describeField(name, z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, false) as Form;
}

/** Schemas don't change while the desk is running. */
function remember(name: string, describe: () => Form): Form {
  const form = forms.get(name) ?? describe();
  forms.set(name, form);
  return form;
}

const forms = new Map<string, Form>();

/** The parts of JSON Schema that content's schemas use. */
type JsonSchema = {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  default?: Value;
  enum?: string[];
  const?: string;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

function describeField(name: string, schema: JsonSchema, isOptional: boolean): FormField {
  const { title, description, type } = schema;
  const named: Named = { name, label: title ?? humanise(name), isOptional, ...(description && { hint: description }) };
  const initial = typeof schema.default === 'string' ? schema.default : '';
  if (type === 'boolean') return { ...named, kind: 'toggle', initial: schema.default === true };
  if (schema.format === 'font') return { ...named, kind: 'choice', options: listInstalledFamilies(), initial };
  if (schema.enum) return { ...named, kind: 'choice', options: schema.enum, initial };
  if (type === 'array' && schema.items) {
    const { minItems: min = 0, maxItems: max = Infinity } = schema;
    return { ...named, kind: 'list', entry: describeField('entry', schema.items, false), min, max };
  }
  if (schema.properties) return { ...named, kind: 'group', fields: describeFields(schema) };
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants?.every(({ properties }) => properties?.kind?.const)) {
    return { ...named, kind: 'variants', variants: Object.fromEntries(variants.map(describeVariant)) };
  }
  return { ...named, kind: 'text', isLong: schema.format === 'textarea', initial };
}

/** Values that the form can't show, such as a script's variables, stay unchanged in the file. */
function describeVariant(schema: JsonSchema): [string, GroupField] {
  const kind = schema.properties!.kind!.const!;
  const shown = Object.entries(schema.properties!).filter(([name, { type, properties }]) => {
    return name !== 'kind' && (type !== 'object' || properties !== undefined);
  });
  const fields = describeFields({ ...schema, properties: Object.fromEntries(shown) });
  return [
    kind,
    { name: kind, label: TAG_PRESETS[kind]?.label ?? humanise(kind), isOptional: false, kind: 'group', fields },
  ];
}

/** Finds the variant that a value belongs to. */
export function findVariant(
  { variants }: FormField & { kind: 'variants' },
  value: Value | undefined,
): GroupField | undefined {
  const kind = isGroup(value) ? value.kind : undefined;
  return typeof kind === 'string' ? variants[kind] : undefined;
}

function describeFields({ properties = {}, required = [] }: JsonSchema): FormField[] {
  return Object.entries(properties).map(([name, schema]) => describeField(name, schema, !required.includes(name)));
}

/** Whether a field, or one within it, is a large field for a single paragraph. */
export function hasLongText(field: FormField): boolean {
  if (field.kind === 'list') return hasLongText(field.entry);
  return field.kind === 'group' ? field.fields.some(hasLongText) : field.kind === 'text' && field.isLong;
}

/** Turns `doneHeading` into "Done heading". */
function humanise(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Converts a value from a file, or a missing one, into the form's value. */
export function toShown(field: FormField, value: Value | undefined): Value {
  switch (field.kind) {
    case 'markdown':
    case 'picture':
      return typeof value === 'string' ? value : '';
    case 'page':
      return value === true;
    case 'text':
      return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : field.initial;
    case 'choice':
      return typeof value === 'string' ? value : field.initial;
    case 'toggle':
      return typeof value === 'boolean' ? value : field.initial;
    case 'list':
      return Array.isArray(value) ? value.map((entry) => toShown(field.entry, entry)) : [];
    case 'variants': {
      const variant = findVariant(field, value);
      return variant ? { kind: variant.name, ...(toShown(variant, value) as Record<string, Value>) } : {};
    }
    default: {
      const group = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
      return Object.fromEntries(field.fields.map((each) => [each.name, toShown(each, group[each.name])]));
    }
  }
}

/**
 * Converts a form's value into the value to write to the file.
 * @param written the value in the file
 * @returns undefined for an optional field that is empty
 */
export function toWritten(field: FormField, shown: Value, written: Value | undefined): Value | undefined {
  if (field.kind === 'group') return writeGroup(field, shown as Record<string, Value>, written);
  if (field.kind === 'variants') {
    const variant = findVariant(field, shown)!;
    const group = writeGroup(variant, shown as Record<string, Value>, written);
    return { kind: variant.name, ...(group as Record<string, Value>) };
  }
  // A value that only looks different in the file, or is left out there, isn't changed.
  if (JSON.stringify(toShown(field, written)) === JSON.stringify(shown)) return written;
  if (field.kind === 'list') {
    return (shown as Value[]).map(
      (entry) => toWritten(field.entry, entry, findEntry(field.entry, entry, written)) ?? '',
    );
  }
  return shown === '' && field.isOptional ? undefined : shown;
}

/** Finds the file's version of an entry in the form, by its id, because it may have moved. */
function findEntry(field: FormField, shown: Value, written: Value | undefined): Value | undefined {
  if (field.kind !== 'variants' || !Array.isArray(written) || !isGroup(shown)) return undefined;
  return written.find((each) => isGroup(each) && each.kind === shown.kind && each.id === shown.id);
}

function writeGroup(field: FormField & { kind: 'group' }, shown: Record<string, Value>, written: Value | undefined) {
  const group = typeof written === 'object' && written !== null && !Array.isArray(written) ? written : {};
  const entries = field.fields.map(({ name }, index) => {
    return [name, toWritten(field.fields[index]!, shown[name]!, group[name])] as const;
  });
  const given = entries.filter((entry): entry is [string, Value] => entry[1] !== undefined);
  const isEmpty = given.every(([, value]) => value === '');
  if (field.isOptional && isEmpty && (given.length > 0 || written === undefined)) return undefined;
  // Values that the form doesn't show, such as tags, are kept.
  const others = Object.entries(group).filter(([name]) => !field.fields.some((each) => each.name === name));
  return Object.fromEntries([...given, ...others]);
}
