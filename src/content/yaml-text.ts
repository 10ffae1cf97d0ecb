import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import type { z } from 'zod';
import { describeIssue, formatFieldName, reportIssues } from './explain-issues.ts';
import { explainSyntax } from './explain-syntax.ts';

/** A mistake in content/; line and column count from 1, within the text that was read. */
export type Mistake = { line: number; column: number; field?: string; message: string };

/** @returns the line that the owner reads */
export function formatMistake(file: string, { line, column, field, message }: Mistake): string {
  return `${file}:${line}:${column} ${field === undefined ? '' : `${field}: `}${message}`;
}

/** Fills in the placeholders of a text and reports those that are not known. */
export type Fill = (text: string, report: (found: string, message: string) => void) => string;

/**
 * Reads a YAML text against its schema.
 * @param input.fill what each text of the file goes through first
 * @returns every mistake at once, in plain words, or only those of syntax where there are any; the value only when
 *   there is no mistake
 */
export function readYamlText<T>(input: { source: string; schema: z.ZodType<T>; fill: Fill }): {
  value?: T;
  raw: unknown;
  mistakes: Mistake[];
} {
  const { source, schema, fill } = input;
  const counter = new LineCounter();
  // The schema refuses a mapping as a key; the library would also print a warning.
  const document = parseDocument(source, { lineCounter: counter, prettyErrors: false, logLevel: 'error' });
  const mistakes: Mistake[] = [];
  const report = (offset: number, message: string, field?: string) => {
    const { line, col: column } = counter.linePos(Math.min(offset, source.length));
    // One mistake shows in several ways: the first says what it is.
    if (mistakes.some((other) => other.line === line && (other.field === undefined || other.field === field))) return;
    mistakes.push({ line, column, message, ...(field && { field }) });
  };
  const lines = source.split('\n');
  for (const error of document.errors) {
    const { index, message, isText } = explainSyntax(error, lines, counter.linePos(error.pos[0]).line - 1);
    report(counter.lineStarts[index]! + lines[index]!.search(/\S|$/), message);
    if (!isText) break;
  }
  if (mistakes.length > 0) return { raw: undefined, mistakes };
  reportLostText(document, source, report);
  const filled = fillTexts(document.toJS(), [], (text, path) =>
    fill(text, (part, message) => {
      const start = findOffset(document, path);
      report(Math.max(start, source.indexOf(part, start)), message, formatFieldName(path));
    }),
  );
  const result = schema.safeParse(filled, { error: describeIssue, reportInput: true });
  if (result.success) return { value: result.data, raw: filled, mistakes };
  reportIssues(result.error.issues, (path, message) =>
    report(findOffset(document, path), message, formatFieldName(path)),
  );
  return { raw: filled, mistakes };
}

/**
 * Reads the facts between two lines of `---` at the head of a Markdown text.
 * @returns also the text below them and the number of its first line; undefined where there are no such lines
 */
export function readFrontMatter<T>(source: string, schema: z.ZodType<T>, fill: Fill) {
  const parts = splitFrontMatter(source);
  if (parts === undefined) return undefined;
  const { facts, body, firstLine } = parts;
  // Below empty lines, as many as are above the facts in the file.
  const above = '\n'.repeat(firstLine - facts.split('\n').length - 2);
  const { value, mistakes } = readYamlText({ source: above + facts, schema, fill });
  return { value, mistakes, body, firstLine };
}

/**
 * Takes a Markdown text with facts apart. Blank lines above them, and spaces after either line of `---`, don't matter.
 * @returns the number of the first line of the body; undefined without facts
 */
export function splitFrontMatter(source: string): { facts: string; body: string; firstLine: number } | undefined {
  const [head, facts = ''] = /^\s*---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|$)/.exec(source) ?? [];
  if (head === undefined) return undefined;
  const firstLine = head.trimEnd().split('\n').length + 1;
  return { facts: facts.replace(/\n$/, ''), body: source.slice(head.length), firstLine };
}

/** Finds where the name of a field is written, or the entry of a list; for a missing field, its nearest parent. */
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

/** Reports texts that YAML would silently leave out or read as something else. */
function reportLostText(document: Document, source: string, report: (offset: number, message: string) => void): void {
  visit(document, {
    Alias(_, node) {
      report(node.range![0], mustBeQuoted('*'));
      return Object.assign(new Scalar(`*${node.source}`), { range: node.range! });
    },
    Scalar(key, node) {
      const [start, end] = node.range!;
      // Numbers are texts too, with all their zeros.
      if (typeof node.value === 'number') node.value = node.source;
      if (node.anchor) report(start, mustBeQuoted('&'));
      else if (node.tag) report(start, mustBeQuoted('!'));
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
  return `a text that begins with ${sign} must be in quotes: put " before and after it`;
}

function fillTexts(value: unknown, path: PropertyKey[], fill: (text: string, path: PropertyKey[]) => string): unknown {
  if (typeof value === 'string') return fill(value, path);
  if (Array.isArray(value)) return value.map((item, index) => fillTexts(item, [...path, index], fill));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTexts(item, [...path, key], fill)]));
  }
  return value;
}
