import type { ErrorCode } from 'yaml';

/** @property pos offsets of the part that can't be read */
type SyntaxIssue = { code: ErrorCode; message: string; pos: [number, number] };

/** @property offset of the part that is wrong @property isLast whether later errors usually follow from this one */
type Explanation = { offset: number; message: string; isLast?: boolean };

/**
 * Explains YAML errors to somebody who doesn't know YAML: at most one for each line, and none that usually follows from
 * an earlier one.
 */
export function explainSyntax(source: string, issues: SyntaxIssue[]): Explanation[] {
  if (issues.length === 0) return [];
  const space = findWrongSpace(source);
  if (space) return [space];
  const byLine = new Map<number, Explanation>();
  for (const issue of issues.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const explained = explainIssue(source, issue);
    const line = source.lastIndexOf('\n', explained.offset - 1);
    if (!byLine.has(line)) byLine.set(line, explained);
    if (explained.isLast) break;
  }
  return [...byLine.values()];
}

/** @param mark a character with which YAML begins something other than text */
export function requireQuotes(mark: string): string {
  return `text that begins with ${mark} must be in quotes`;
}

/** Finds tabs, and the wide and no-break spaces of web pages, in place of an ordinary space. */
function findWrongSpace(source: string): Explanation | undefined {
  const tab = /^ *\t(?=.*\S)/m.exec(source);
  if (tab) return { offset: tab.index, message: 'this line begins with a tab. Use spaces, in all lines', isLast: true };
  const found = /^ *(- +)*([\w-]+:|-)?[^\P{Zs} ]/mu.exec(source);
  if (!found) return undefined;
  const message = 'there is a no-break or wide space before the text. Use ordinary spaces there, in all lines';
  return { offset: found.index + found[0].length - 1, message, isLast: true };
}

const NOT_A_FIELD = 'this line is not a field. Write a name, a colon, a space and the text';
const WRONG_COLUMN = 'this line does not begin in the same column as the lines that it belongs to';

function explainIssue(source: string, { code, message, pos: [offset] }: SyntaxIssue): Explanation {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  const before = source.slice(start, offset);
  const rest = source.slice(offset).split('\n', 1)[0]!.trim();
  if (/^\s*([–—•·‣●*+]\s|--\s|-[^\s-])/.test(before + rest)) {
    return { offset: start, message: 'an entry of a list begins with a hyphen and a space', isLast: true };
  }
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { offset, ...explainColon(rest, message) };
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_ALIAS':
      return { offset, message: requireQuotes(rest.charAt(0)) };
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return { offset, ...explainEnd(source, offset, message) };
    case 'DUPLICATE_KEY':
      return { offset, message: 'this field is written twice' };
    case 'MULTIPLE_DOCS':
      return { offset, message: 'nothing below this line is read. Remove the line' };
    case 'BAD_DIRECTIVE':
      return { offset, message: NOT_A_FIELD, isLast: true };
    case 'MULTILINE_IMPLICIT_KEY':
      return { offset, message: NOT_A_FIELD };
    case 'BAD_DQ_ESCAPE':
      return { offset, message: 'in double quotes, a backslash must be written twice: \\\\' };
    case 'RESOURCE_EXHAUSTION':
      return { offset, message: 'too many lists or brackets are nested', isLast: true };
    case 'UNEXPECTED_TOKEN':
      return { offset, message: explainToken(before, rest, message), isLast: true };
    default:
      return { offset, message: describeOther(message) };
  }
}

function explainColon(rest: string, message: string): Omit<Explanation, 'offset'> {
  if (rest.startsWith('?')) return { message: requireQuotes('?') };
  if (/:\s/.test(rest)) return { message: `text that contains a colon must be in quotes: ${JSON.stringify(rest)}` };
  if (message.includes('sequence')) return { message: WRONG_COLUMN, isLast: true };
  const start = rest.length > 60 ? `${rest.slice(0, 60)}…` : rest;
  return { message: `the line below ${JSON.stringify(start)} is indented too far`, isLast: true };
}

function explainEnd(source: string, offset: number, message: string): Partial<Explanation> & { message: string } {
  const [, bracket] = /end with a (.)/.exec(message) ?? [];
  if (bracket) {
    const first = bracket === ']' ? '[' : '{';
    return {
      message: `an earlier ${first} has no closing ${bracket}. If it is part of a text, put the text in quotes`,
    };
  }
  const [, quote] = /Missing closing (.)quote/.exec(message) ?? [];
  if (quote) {
    const begin = source.lastIndexOf(quote, offset - 1);
    return { offset: begin, message: `this text begins with ${quote} but does not end with it`, isLast: true };
  }
  if (/indent|same column|without - indicator/i.test(message)) return { message: WRONG_COLUMN, isLast: true };
  return { message: message.startsWith('Implicit map keys') ? NOT_A_FIELD : describeOther(message) };
}

function explainToken(before: string, rest: string, message: string): string {
  const first = before
    .match(/(^\s*|[:-]\s+)[[{&*!'">|]/g)
    ?.at(-1)
    ?.at(-1);
  if (message.endsWith('at node end') && /['"]/.test(first ?? '')) {
    return 'text follows the closing quotation mark. Put all of it in double quotes, and write \\" for those inside';
  }
  if (first !== undefined) return requireQuotes(first);
  return /^[-\]}]/.test(rest) ? requireQuotes(rest.charAt(0)) : describeOther(message);
}

function describeOther(message: string): string {
  return `this line can’t be read. Put its text in double quotes (${message})`;
}
