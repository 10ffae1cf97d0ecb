import { z } from 'zod';
import { findNearest } from './find-nearest.ts';
import type { Places } from './yaml-places.ts';

type Issues = {
  issues: z.core.$ZodIssue[];
  filled: unknown;
  schema: z.ZodType;
  place: Places;
  source: string;
  report: (offset: number, message: string, field?: string) => void;
};

/** Reports everything that a schema refuses, in words that tell an owner what to write. */
export function reportIssues({ issues, filled, schema, place, source, report }: Issues): void {
  const missing = issues.filter(
    ({ code, path }) => code.startsWith('invalid_') && path.length > 0 && valueAt(filled, path) === undefined,
  );
  const misspelt = new Set<string>();
  for (const issue of issues.filter(({ code }) => code === 'unrecognized_keys')) {
    const { properties: shape = {}, kinds = [] } = readShape(schema, issue.path) ?? {};
    for (const key of (issue as z.core.$ZodIssueUnrecognizedKeys).keys) {
      const other = explainOtherKind(key, valueAt(filled, issue.path), kinds);
      const { message, meant } = other ?? explainUnknownField(key, { path: issue.path, shape, missing, filled });
      if (meant) misspelt.add(formatFieldName([...issue.path, meant]));
      report(place.findKey(issue.path, key), message, formatFieldName([...issue.path, key]));
    }
  }
  for (const issue of issues.filter(({ code }) => code !== 'unrecognized_keys')) {
    const field = formatFieldName(issue.path);
    if (missing.includes(issue)) {
      const parent = issue.path.slice(0, -1);
      const where =
        parent.length > 0 ? `below "${formatFieldName(parent)}", indented like its neighbours` : 'to this file';
      const choice = issue.code === 'invalid_type' ? '' : `: ${describeChoice(issue).replace('expected ', '')}`;
      const message = `this field is missing. Add a line "${String(issue.path.at(-1))}: …" ${where}${choice}`;
      if (!misspelt.has(field)) report(place.find(parent), message, field);
    } else {
      const written = place.readSource(issue.path, source);
      const message = explainIssue(issue, filled, written);
      const isEmptyGroup = issue.code === 'invalid_type' && message.startsWith(NO_FIELDS);
      const advice = isEmptyGroup && isOptional(schema, issue.path) ? ', or take the line out' : '';
      report(place.find(issue.path), message + advice, field);
    }
  }
}

function isOptional(schema: z.ZodType, path: PropertyKey[]): boolean {
  return !readShape(schema, path.slice(0, -1))?.required?.includes(String(path.at(-1)));
}

function explainUnknownField(
  key: string,
  context: { path: PropertyKey[]; shape: Record<string, Shape>; missing: z.core.$ZodIssue[]; filled: unknown },
): { message: string; meant?: string } {
  const { path, shape, missing, filled } = context;
  const emptyGroup = Object.keys(shape).find(
    (name) => shape[name]?.properties?.[key] && valueAt(filled, [...path, name]) === null,
  );
  const home = missing.find((issue) => issue.path.at(-1) === key)?.path.slice(0, -1);
  if (emptyGroup || (home && home.length > path.length)) {
    const group = emptyGroup ?? formatFieldName(home!);
    return { message: `this field belongs to "${group}". Put it below that line, indented by two more spaces` };
  }
  if (home) return { message: 'this field is indented too far. Begin it where the fields of the level above begin' };
  const meant = findNearest(key, Object.keys(shape));
  if (meant) return { message: `this field is not known. Did you mean "${meant}"?`, meant };
  return { message: `this field is not known. Take the line out, or use one of ${Object.keys(shape).join(', ')}` };
}

/** A field that entries of another kind have: `src` beside `kind: ga4`. */
function explainOtherKind(
  key: string,
  entry: unknown,
  kinds: Shape[],
): { message: string; meant?: string } | undefined {
  if (!kinds.some(({ properties }) => properties?.[key])) return undefined;
  for (const { properties = {} } of kinds) {
    const name = Object.keys(properties).find((each) => properties[each]?.const !== undefined);
    const kind = name && properties[name]?.const;
    if (kind === undefined || kind !== valueAt(entry, [name!])) continue;
    const advice = `Take the line out, or use one of ${Object.keys(properties).join(', ')}`;
    return { message: `this field does not go with "${name}: ${kind}". ${advice}` };
  }
  return undefined;
}

function explainIssue(issue: z.core.$ZodIssue, filled: unknown, source: string): string {
  const value = valueAt(filled, issue.path);
  if (issue.code === 'invalid_type' || value === null)
    return explainType(issue.code === 'invalid_type' ? issue.expected : 'string', value, source);
  const found = typeof value === 'string' && value.trim() !== '' ? `, but found ${JSON.stringify(value)}` : '';
  if (issue.code === 'invalid_value') return `${describeChoice(issue)}${found}`;
  return issue.code === 'custom' ? issue.message : `${issue.message}${found}`;
}

/** As the schema says it, where it does. */
function describeChoice(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_value' || !issue.message.startsWith('Invalid')) return issue.message;
  return `expected one of ${issue.values.join(', ')}`;
}

function explainType(expected: string, value: unknown, source: string): string {
  if (value === null && expected === 'object') return NO_FIELDS;
  if (value === null) {
    return source.startsWith('#')
      ? `nothing is written here, since # begins a remark. Put the text in quotes: ${JSON.stringify(source)}`
      : 'nothing is written here. Write it after the colon, or take the line out if the field may be left out';
  }
  if (expected === 'boolean') return `expected true or false, but found ${source}`;
  if (expected === 'array') return 'expected a list: each entry on a line of its own that begins with "- "';
  if (expected === 'object') return 'expected fields of its own, each on a line below it, indented by two spaces';
  if (typeof value !== 'object') return `expected a text. Put it in quotes: "${source}"`;
  if (source === '{}') return 'expected one text. Write it in place of {}';
  if (source === '[]') return 'expected one text, not a list. Write it in place of []';
  if (source.startsWith('{')) return 'a text that begins with { must be in quotes: put " before and after it';
  if (source.startsWith('[')) {
    return `expected one text, not a list. Write ${source.slice(1, -1).trim()}, or "${source}" with its brackets`;
  }
  return 'expected one text, but lines are indented below it. Check the spaces before the next line';
}

const NO_FIELDS = 'its fields are missing. Put them below it, indented by two spaces';

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** As an owner counts: the second card is card 2. */
export function formatFieldName(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' > ');
}

type Shape = {
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  const?: string;
  /** The shapes that an entry may have, of which `properties` has all. */
  kinds?: Shape[];
};

/** The JSON Schema of a field, for its name, neighbours and kinds. */
export function readShape(schema: z.ZodType, path: PropertyKey[]): Shape | undefined {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return path.reduce<Shape | undefined>((shape, key) => {
    const inner = typeof key === 'number' ? shape?.items : shape?.properties?.[String(key)];
    const options = inner?.anyOf ?? inner?.oneOf;
    return options
      ? { properties: Object.assign({}, ...options.map(({ properties }) => properties)), kinds: options }
      : inner;
  }, whole);
}
