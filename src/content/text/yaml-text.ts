import { type Document, isAlias, isCollection, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { EMPTY } from '../schemas/content-fields.ts';
import { explainSyntax, requireQuotes } from './explain-syntax.ts';

/** An error in content/; line and column count from 1, within the text that was read. */
export type SourceError = { line: number; column: number; field?: string; message: string };

/** @returns the line that the owner reads */
export function formatSourceError(file: string, { line, column, field, message }: SourceError): string {
  return `${file}:${line}:${column} ${field === undefined ? '' : `${field}: `}${message}`;
}

/** Fills in the placeholders in a string and reports unknown ones. */
export type Fill = (text: string, report: (found: string, message: string) => void) => string;

/**
 * Parses YAML and checks it against a schema.
 * @param input.fill applied to each string in the file first
 * @returns every error; the value only if there is none
 */
export function readYamlText<T>(input: { source: string; schema: z.ZodType<T>; fill: Fill }): {
  value?: T;
  raw: unknown;
  errors: SourceError[];
} {
  const { source, schema, fill } = input;
  const counter = new LineCounter();
  // A mapping as a key is reported below; the library would also print a warning.
  const document = parseDocument(source, { lineCounter: counter, prettyErrors: false, logLevel: 'error' });
  const errors: SourceError[] = [];
  const reportAt = (offset: number, message: string, path?: PropertyKey[]) => {
    const { line, col: column } = counter.linePos(Math.min(offset, source.length));
    // Both the library and readScalarsAsStrings report a tag.
    if (errors.some((error) => error.line === line && error.message === message)) return;
    errors.push({ line, column, message, ...(path && path.length > 0 && { field: formatFieldName(path) }) });
  };
  const report = (path: PropertyKey[], message: string) => reportAt(findOffset(document, path), message, path);

  const syntaxErrors = explainSyntax(source, [...document.errors, ...document.warnings]);
  if (!syntaxErrors.some(({ isLast }) => isLast)) readScalarsAsStrings(document.contents, [], reportAt);
  for (const { offset, message } of syntaxErrors) reportAt(offset, message);
  if (errors.length > 0) return { raw: undefined, errors };
  const filled = fillStrings(document.toJS(), [], (text, path) =>
    fill(text, (part, message) => {
      const start = findOffset(document, path);
      reportAt(Math.max(start, source.indexOf(part, start)), message, path);
    }),
  );
  const { data, error } = schema.safeParse(filled, { error: describeIssue });
  for (const issue of error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') report(issue.path, isMissing(filled, issue) ? MISSING : issue.message);
    else for (const key of issue.keys) report([...issue.path, key], 'this field is not known');
  }
  return { raw: filled, errors, ...(error === undefined && { value: data }) };
}

/** Messages for a value of the wrong type, by the expected type. */
const EXPECTED: Record<string, string> = {
  object: 'expected fields, each a name, a colon, a space and the text',
  array: 'expected a list, with a hyphen before each entry',
  string: 'expected text. Put it in quotes',
};

const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === null ? EMPTY : EXPECTED[issue.expected];
};

/** The message about a field that the file doesn't have. */
export const MISSING = 'this field is missing';

function isMissing(value: unknown, { code, path }: z.core.$ZodIssue): boolean {
  if (code === 'custom') return false;
  return (
    path.reduce<unknown>((within, key) => (within as Record<PropertyKey, unknown> | null)?.[key], value) === undefined
  );
}

/** Names a field, counting from 1: the second card is card 2. */
export function formatFieldName(path: PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' > ');
}

/**
 * Reads the front matter of a Markdown text, which is between two lines of `---` at its head.
 * @returns also the text below and the number of its first line; undefined if there is no front matter
 */
export function readFrontMatter<T>(source: string, schema: z.ZodType<T>, fill: Fill) {
  const parts = splitFrontMatter(source);
  if (parts === undefined) return undefined;
  const { frontMatter, body, firstLine } = parts;
  // Padded with empty lines, so that line numbers match the file's.
  const above = '\n'.repeat(firstLine - frontMatter.split('\n').length - 2);
  const { value, errors } = readYamlText({ source: above + frontMatter, schema, fill });
  return { value, errors, body, firstLine };
}

/**
 * Splits a Markdown text from its front matter. Blank lines above it, and spaces after either `---`, don't matter.
 * @returns the number of the first line of the body; undefined if there is no front matter
 */
export function splitFrontMatter(source: string): { frontMatter: string; body: string; firstLine: number } | undefined {
  const [head, frontMatter = ''] = /^\s*---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/.exec(source) ?? [];
  if (head === undefined) return undefined;
  const firstLine = head.trimEnd().split('\n').length + 1;
  return { frontMatter: frontMatter.replace(/\n$/, ''), body: source.slice(head.length), firstLine };
}

/** Finds the position of a field's name or a list's entry; for a missing field, that of its nearest parent. */
function findOffset(document: Document, path: PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((item) => String(item.key) === key) : undefined;
    node = isSeq(node) ? node.items[Number(key)] : pair?.value;
    const named = pair?.key ?? node;
    if (!isNode(named)) break;
    offset = named.range![0];
  }
  return offset;
}

type ReportError = (offset: number, message: string, path: PropertyKey[]) => void;

/** Turns numbers into strings, with all their zeros. Reports strings of which YAML would drop a part. */
function readScalarsAsStrings(node: unknown, path: PropertyKey[], report: ReportError): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isCollection(key)) report(key.range![0], requireQuotes(isMap(key) ? '{' : '['), path);
      else readScalarsAsStrings(value, [...path, String(key)], report);
    }
  }
  if (isSeq(node)) node.items.forEach((item, index) => readScalarsAsStrings(item, [...path, index], report));
  if (isAlias(node)) report(node.range![0], requireQuotes('*'), path);
  else if (isNode(node) && node.anchor !== undefined) report(node.range![0], requireQuotes('&'), path);
  else if (isNode(node) && node.tag !== undefined) report(node.range![0], requireQuotes('!'), path);
  if (!isScalar(node)) return;
  const [comment = ''] = node.comment?.split('\n') ?? [];
  // Real comments begin with a space.
  if (node.type === 'PLAIN' && /^[^\s#]/.test(comment)) {
    const whole = `${node.source ?? ''} #${comment}`.trim();
    report(
      node.range![0],
      `everything after # is a comment and is not read. Put it in quotes: ${JSON.stringify(whole)}`,
      path,
    );
  }
  if (typeof node.value === 'number') node.value = node.source;
}

function fillStrings(
  value: unknown,
  path: PropertyKey[],
  fill: (text: string, path: PropertyKey[]) => string,
): unknown {
  if (typeof value === 'string') return fill(value, path);
  if (Array.isArray(value)) return value.map((item, index) => fillStrings(item, [...path, index], fill));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillStrings(item, [...path, key], fill)]),
    );
  }
  return value;
}
