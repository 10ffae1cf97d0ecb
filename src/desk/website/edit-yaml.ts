import { isDeepStrictEqual } from 'node:util';
import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  stringify,
  type YAMLMap,
} from 'yaml';
import { changeList } from './edit-yaml-list.ts';
import { applyEdits, type Edit, endOfLine, endOfNode, indent, startOfLine } from './text-edits.ts';

/** What a file of content/ holds: texts, choices of yes or no, lists and groups. */
export type Value = string | boolean | null | Value[] | { [name: string]: Value };

/** Reads a YAML text as the build does: a number is a text with all its digits. @throws when it's no YAML */
export function readYaml(source: string): Value {
  const document = parseYaml(source);
  if (document.errors.length > 0) throw new Error(CANNOT_CHANGE);
  return document.toJS() as Value;
}

/**
 * Gives a YAML text other values, and leaves every line whose value stays as it is, with its quotes and remarks.
 * @param value all that the text is to hold; a field that is missing in it is taken out
 * @throws when the text is not written in a way that can be changed in part
 */
export function changeYaml(source: string, value: Value): string {
  const { contents } = parseYaml(source);
  try {
    const changed = applyEdits(source, findEdits(source, contents!, value));
    if (isDeepStrictEqual(readYaml(changed), value)) return changed;
  } catch (cause) {
    throw new Error(CANNOT_CHANGE, { cause });
  }
  throw new Error(CANNOT_CHANGE);
}

const CANNOT_CHANGE = 'This file is written in a way that the desk cannot change. Change it in an editor.';

function parseYaml(source: string) {
  return parseDocument(source, {
    logLevel: 'silent',
    // "1.10" and "007" are texts.
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag)),
  });
}

function findEdits(source: string, node: Node, value: Value): Edit[] {
  const current = toValue(node);
  if (isDeepStrictEqual(current, value)) return [];
  const canChangeInPart = isCollection(node) && node.flow !== true && node.items.length > 0;
  if (canChangeInPart && isMap(node) && isGroup(value)) {
    const edits = changeGroup(source, node as YAMLMap<Scalar, Node | null>, value);
    if (edits !== undefined) return edits;
  }
  if (canChangeInPart && isSeq(node) && Array.isArray(value) && value.length > 0) {
    return [changeList({ source, node, current: current as Value[], value, findEdits, write })];
  }
  return [replace(source, node, value)];
}

function toValue(node: Node): Value {
  return node.toJS(EMPTY_DOCUMENT) as Value;
}

const EMPTY_DOCUMENT = parseDocument('');

export function isGroup(value: Value | undefined): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type NamedPair = Pair<Scalar, Node | null>;

/** @returns undefined if no field of it stays */
function changeGroup(
  source: string,
  { items }: YAMLMap<Scalar, Node | null>,
  value: Record<string, Value>,
): Edit[] | undefined {
  const kept = items.filter(({ key }) => Object.hasOwn(value, String(key.value)));
  if (kept.length === 0) return undefined;
  const removals = items.filter((pair) => !kept.includes(pair)).map((pair) => remove(source, pair, items));
  const names = Object.keys(value);
  const find = (name: string) => kept.find(({ key }) => String(key.value) === name);
  const others = names.flatMap((name, index): Edit[] => {
    const pair = find(name);
    if (pair?.value) return findEdits(source, pair.value, value[name]!);
    if (pair) return value[name] === null ? [] : [replace(source, pair.key, value[name]!, pair)];
    const next = names
      .slice(index + 1)
      .map(find)
      .find((each) => each !== undefined);
    return [insert(source, write({ [name]: value[name]! }), next, kept.at(-1)!)];
  });
  return [...removals, ...others];
}

function remove(source: string, pair: NamedPair, items: NamedPair[]): Edit {
  const [start] = pair.key.range!;
  const lineStart = startOfLine(source, start);
  const isAlone = source.slice(lineStart, start).trim() === '';
  const next = items[items.indexOf(pair) + 1];
  // The first field of an entry stands behind its dash, and the next one takes its place.
  if (!isAlone && next) return { start, end: next.key.range![0], text: '' };
  return { start: lineStart, end: endOfLine(source, endOfPair(source, pair)) + 1, text: '' };
}

function endOfPair(source: string, { key, value }: NamedPair): number {
  return endOfNode(source, value ?? key);
}

/** @param next the field before which the lines come; without one they come after the last */
function insert(source: string, lines: string, next: NamedPair | undefined, last: NamedPair): Edit {
  const [start] = (next ?? last).key.range!;
  const column = start - startOfLine(source, start);
  if (next) return { start, end: start, text: `${indent(lines, column).trimStart()}\n${' '.repeat(column)}` };
  const end = endOfLine(source, endOfPair(source, last));
  return { start: end, end, text: `\n${indent(lines, column)}` };
}

/** @param pair of a field without a value, which is written behind its colon */
function replace(source: string, node: Node, value: Value, pair?: NamedPair): Edit {
  const [start, valueEnd] = node.range!;
  if (pair)
    return {
      start: valueEnd + 1,
      end: valueEnd + 1,
      text: ` ${isScalarValue(value) ? writeScalar(value) : write(value, true)}`,
    };
  const end = endOfNode(source, node);
  if (isScalarValue(value)) {
    const isEmpty = isScalar(node) && node.source === '' && start === valueEnd;
    const text = writeScalar(value, isScalar(node) ? node.type : undefined);
    return { start, end, text: `${isEmpty ? ' ' : ''}${text}` };
  }
  const isFlow = isCollection(node) && node.flow === true;
  if (Object.keys(value).length === 0 || (isFlow && isFlat(value))) {
    // What was on lines of its own goes behind the colon.
    const from = isFlow || isScalar(node) ? start : source.slice(0, startOfLine(source, start)).trimEnd().length;
    return { start: from, end, text: `${from === start ? '' : ' '}${write(value, true)}` };
  }
  const lineStart = startOfLine(source, start);
  const column = /^[\s-]*/.exec(source.slice(lineStart))![0].length;
  const lineEnd = endOfLine(source, end);
  const from = source.slice(0, start).trimEnd().length;
  const text = `${source.slice(end, lineEnd)}\n${indent(write(value), column + 2)}`;
  return { start: from, end: lineEnd, text };
}

function isScalarValue(value: Value): value is string | boolean | null {
  return typeof value !== 'object' || value === null;
}

function isFlat(value: Value): boolean {
  return Array.isArray(value) && value.every(isScalarValue);
}

/** @param type the quotes of the text before it, which stay if they may */
function writeScalar(value: string | boolean | null, type?: Scalar.Type): string {
  const scalar = new Scalar(value);
  if (type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE) scalar.type = type;
  // A text that may stand behind a name may stand anywhere but in brackets.
  return stringify({ a: scalar }, WRITING).trimEnd().slice('a: '.length);
}

/** @returns lines, the last without its end */
function write(value: Value, isFlow = false): string {
  return stringify(value, isFlow ? { ...WRITING, collectionStyle: 'flow' } : WRITING).trimEnd();
}

const WRITING = { lineWidth: 0, flowCollectionPadding: false, defaultStringType: 'PLAIN', blockQuote: false } as const;
