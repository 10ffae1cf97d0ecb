import { closest, distance } from 'fastest-levenshtein';
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { repairSyntax } from './explain-syntax.ts';

/** Something in content/ that is not as it should be; line and column count from 1, within the text that was read. */
export type Mistake = { line: number; column: number; field?: string; message: string };

/** As an owner reads it, with the file that it is in. */
export function formatMistake(file: string, { line, column, field, message }: Mistake): string {
  return `${file}:${line}:${column} ${field === undefined ? '' : `${field}: `}${message}`;
}

/** Fills in the placeholders of a text and reports those that are not known. */
export type Fill = (text: string, report: (found: string, message: string) => void) => string;

/**
 * Reads a YAML text against its schema.
 * @param input.fill what each text of the file goes through first
 * @returns every mistake at once, in plain words; the value only when there is none
 */
export function readYamlText<T>(input: { source: string; schema: z.ZodType<T>; fill: Fill }): {
  value?: T;
  raw: unknown;
  mistakes: Mistake[];
} {
  const { schema, fill } = input;
  const { source, mistakes, isBroken } = repairSyntax(input.source);
  const found: Mistake[] = mistakes;
  if (isBroken) return { raw: undefined, mistakes: found };
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const report = (offset: number, message: string, field?: string) => {
    const { line, col: column } = lines.linePos(Math.min(offset, source.length));
    // One mistake shows in several ways: the first says what it is.
    if (found.some((other) => other.line === line && (other.field === undefined || other.field === field))) return;
    found.push({ line, column, message, ...(field && { field }) });
  };
  if (document.contents === null) {
    const fields = Object.keys(shapeOf(schema, [])?.properties ?? {}).join(', ');
    report(0, `this file is empty. Copy it again from the original project, or write its fields: ${fields}`);
    return { raw: undefined, mistakes: found };
  }
  reportLostText(document, source, report);
  const place = placesIn(document);
  const filled = fillTexts(document.toJS(), [], (text, path) =>
    fill(text, (part, message) => {
      const start = place.of(path);
      report(Math.max(start, source.indexOf(part, start)), message, fieldName(path));
    }),
  );
  const result = schema.safeParse(filled);
  if (result.success) return { value: result.data, raw: filled, mistakes: found };
  reportIssues({ issues: result.error.issues, filled, schema, place, source, report });
  return { raw: filled, mistakes: found };
}

/** Texts that YAML leaves out or takes for something else without a word. */
function reportLostText(document: Document, source: string, report: (offset: number, message: string) => void): void {
  visit(document, {
    Alias: (_, node) => report(node.range![0], mustBeQuoted('*')),
    Scalar(key, node) {
      const [start, end] = node.range!;
      if (node.anchor) report(start, mustBeQuoted('&'));
      else if (node.tag) report(start, mustBeQuoted('!'));
      const [, enclosed] = /^[“‘]([^“”‘’]*)[”’]$/.exec(node.type === 'PLAIN' ? (node.source ?? '') : '') ?? [];
      if (enclosed !== undefined) {
        const shown = `Write "${enclosed}" with straight ones, or "${node.source}" to show them`;
        report(start, `curly quotation marks would be shown. ${shown}`);
      }
      // Two spaces and more before a # are a remark beside a value, as in the examples of docs/.
      if (key !== 'key' && node.type === 'PLAIN' && node.value !== null && source.startsWith(' #', end)) {
        const lost = /^ #.*/.exec(source.slice(end))![0].trim();
        const whole = JSON.stringify(`${node.source} ${lost}`);
        const advice = `If it belongs to the text, put the whole text in quotes: ${whole}`;
        const problem = `"${lost}" is left out, since # begins a remark. ${advice}`;
        report(end + 1, `${problem}. If it is a remark, put two spaces before it`);
      }
    },
  });
}

function mustBeQuoted(sign: string): string {
  return `a text that begins with ${sign} must stand in quotes: put " before and after it`;
}

type Issues = {
  issues: z.core.$ZodIssue[];
  filled: unknown;
  schema: z.ZodType;
  place: Places;
  source: string;
  report: (offset: number, message: string, field?: string) => void;
};

function reportIssues({ issues, filled, schema, place, source, report }: Issues): void {
  const missing = issues.filter(
    ({ code, path }) => code.startsWith('invalid_') && path.length > 0 && valueAt(filled, path) === undefined,
  );
  const misspelt = new Set<string>();
  for (const issue of issues.filter(({ code }) => code === 'unrecognized_keys')) {
    const { properties: shape = {}, kinds = [] } = shapeOf(schema, issue.path) ?? {};
    for (const key of (issue as z.core.$ZodIssueUnrecognizedKeys).keys) {
      const other = fieldOfOtherKind(key, valueAt(filled, issue.path), kinds);
      const { message, meant } = other ?? unknownField(key, { path: issue.path, shape, missing, filled });
      if (meant) misspelt.add(fieldName([...issue.path, meant]));
      report(place.ofKey(issue.path, key), message, fieldName([...issue.path, key]));
    }
  }
  for (const issue of issues.filter(({ code }) => code !== 'unrecognized_keys')) {
    const field = fieldName(issue.path);
    if (missing.includes(issue)) {
      const parent = issue.path.slice(0, -1);
      const where = parent.length > 0 ? `below "${fieldName(parent)}", indented like its neighbours` : 'to this file';
      const choice = issue.code === 'invalid_type' ? '' : `: ${choiceOf(issue).replace('expected ', '')}`;
      const message = `this field is missing. Add a line "${String(issue.path.at(-1))}: …" ${where}${choice}`;
      if (!misspelt.has(field)) report(place.of(parent), message, field);
    } else {
      const written = place.makeSource(issue.path, source);
      const asText = isBare(valueAt(filled, issue.path)) && issueOfText(schema, filled, issue.path, written);
      const message = asText ? `${asText.message}, but found ${written}` : explainIssue(issue, filled, written);
      const isEmptyGroup = issue.code === 'invalid_type' && message.startsWith(NO_FIELDS);
      const advice = isEmptyGroup && mayGo(schema, issue.path) ? ', or take the line out' : '';
      report(place.of(issue.path), message + advice, field);
    }
  }
}

function mayGo(schema: z.ZodType, path: PropertyKey[]): boolean {
  return !shapeOf(schema, path.slice(0, -1))?.required?.includes(String(path.at(-1)));
}

/** Values without quotes that are no text. */
function isBare(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The mistake that it would still have in quotes: both are reported at once. */
function issueOfText(
  schema: z.ZodType,
  filled: unknown,
  path: PropertyKey[],
  written: string,
): z.core.$ZodIssue | undefined {
  const quoted = structuredClone(filled);
  (valueAt(quoted, path.slice(0, -1)) as Record<PropertyKey, unknown>)[path.at(-1)!] = written;
  const issues = schema.safeParse(quoted).error?.issues ?? [];
  return issues.find(({ code, path: at }) => code === 'invalid_format' && fieldName(at) === fieldName(path));
}

function unknownField(
  key: string,
  of: { path: PropertyKey[]; shape: Record<string, Shape>; missing: z.core.$ZodIssue[]; filled: unknown },
): { message: string; meant?: string } {
  const { path, shape, missing, filled } = of;
  const emptyGroup = Object.keys(shape).find(
    (name) => shape[name]?.properties?.[key] && valueAt(filled, [...path, name]) === null,
  );
  const home = missing.find((issue) => issue.path.at(-1) === key)?.path.slice(0, -1);
  if (emptyGroup || (home && home.length > path.length)) {
    const group = emptyGroup ?? fieldName(home!);
    return { message: `this field belongs to "${group}". Put it below that line, indented by two more spaces` };
  }
  if (home) return { message: 'this field is indented too far. Begin it where the fields of the level above begin' };
  const meant = findNearest(key, Object.keys(shape));
  if (meant) return { message: `this field is not known. Did you mean "${meant}"?`, meant };
  return { message: `this field is not known. Take the line out, or use one of ${Object.keys(shape).join(', ')}` };
}

/** A field that entries of another kind have: `src` beside `kind: ga4`. */
function fieldOfOtherKind(
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
  if (issue.code === 'invalid_value') return `${choiceOf(issue)}${found}`;
  return issue.code === 'custom' ? issue.message : `${issue.message}${found}`;
}

/** As the schema says it, where it does. */
function choiceOf(issue: z.core.$ZodIssue): string {
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
  if (source.startsWith('{')) return 'a text that begins with { must stand in quotes: put " before and after it';
  if (source.startsWith('[')) {
    return `expected one text, not a list. Write ${source.slice(1, -1).trim()}, or "${source}" with its brackets`;
  }
  return 'expected one text, but lines are indented below it. Check the spaces before the next line';
}

const NO_FIELDS = 'its fields are missing. Put them below it, indented by two spaces';

type Places = {
  of: (path: PropertyKey[]) => number;
  ofKey: (path: PropertyKey[], key: string) => number;
  /** As it is written in the file, to the end of its line when it is short. */
  makeSource: (path: PropertyKey[], source: string) => string;
};

function placesIn(document: Document): Places {
  const nodeAt = (path: PropertyKey[]) => (path.length === 0 ? document.contents : document.getIn(path, true));
  const pairAt = (path: PropertyKey[], key: string) => {
    const parent = nodeAt(path);
    return isMap(parent) ? parent.items.find((item) => String(item.key) === key) : undefined;
  };
  const ofKey = (path: PropertyKey[], key: string): number => {
    const pair = pairAt(path, key);
    return pair && isPair(pair) && isNode(pair.key) && pair.key.range ? pair.key.range[0] : of(path);
  };
  const of = (path: PropertyKey[]): number => {
    // An empty field or a group is found by its name; a missing one, by its nearest parent.
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = nodeAt(path.slice(0, depth));
      const key = path[depth - 1];
      if (node !== undefined && typeof key === 'string' && !(isScalar(node) && node.value !== null)) {
        return ofKey(path.slice(0, depth - 1), key);
      }
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  };
  return {
    of,
    ofKey,
    makeSource(path, source) {
      const node = nodeAt(path);
      if (!isNode(node) || !node.range) return '';
      if (isScalar(node) && node.value === null) return /^[^\S\n]*(#.*)?/.exec(source.slice(node.range[0]))?.[1] ?? '';
      return source.slice(node.range[0], node.range[1]);
    },
  };
}

function fillTexts(value: unknown, path: PropertyKey[], fill: (text: string, path: PropertyKey[]) => string): unknown {
  if (typeof value === 'string') return fill(value, path);
  if (Array.isArray(value)) return value.map((item, index) => fillTexts(item, [...path, index], fill));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTexts(item, [...path, key], fill)]));
  }
  return value;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** As an owner counts: the second card is card 2. */
function fieldName(path: PropertyKey[]): string {
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

function shapeOf(schema: z.ZodType, path: PropertyKey[]): Shape | undefined {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return path.reduce<Shape | undefined>((shape, key) => {
    const inner = typeof key === 'number' ? shape?.items : shape?.properties?.[String(key)];
    const options = inner?.anyOf ?? inner?.oneOf;
    return options
      ? { properties: Object.assign({}, ...options.map(({ properties }) => properties)), kinds: options }
      : inner;
  }, whole);
}

/** The known word that is meant by a misspelt one, if one is near enough. */
export function findNearest(word: string, known: string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(word, known);
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, word.length / 3) ? nearest : undefined;
}
