import { parseDocument, type YAMLParseError } from 'yaml';

/** `line` and `column` count from 1. */
type SyntaxMistake = { line: number; column: number; message: string };

/**
 * Explains a YAML parser's complaint in an owner's words. A line whose meaning is plain is repaired and the rest judged
 * as if it had been right, so that one forgotten quotation mark does not hide other mistakes, or seem to be ten.
 * @returns the text so repaired, with the lines that it had; `isBroken` when the rest cannot be judged any more
 */
export function repairSyntax(source: string): { source: string; mistakes: SyntaxMistake[]; isBroken: boolean } {
  const lines = source.split('\n');
  const mistakes: SyntaxMistake[] = [];
  const seen = new Set<number>();
  for (;;) {
    const text = lines.join('\n');
    const findLine = (error: YAMLParseError) => text.slice(0, error.pos[0]).split('\n').length - 1;
    const error = parseDocument(text, { prettyErrors: false }).errors.find((each) => !seen.has(findLine(each)));
    if (error === undefined) return { source: text, mistakes, isBroken: false };
    const { index, message, repaired, isHarmless } = explain(error, lines, findLine(error));
    const value = lines[index]!.search(/(?<=:\s+)\S|(?<=^\s*(?:-\s+)?)\S/);
    mistakes.push({ line: index + 1, column: Math.max(value, 0) + 1, message });
    if (seen.has(index) || (repaired === undefined && !isHarmless)) return { source: text, mistakes, isBroken: true };
    seen.add(index).add(findLine(error));
    lines[index] = repaired ?? lines[index]!;
  }
}

type Explained = { index: number; message: string; repaired?: string; isHarmless?: true };

function explain(error: YAMLParseError, lines: string[], index: number): Explained {
  const line = lines[index]!;
  const [, lead = '', value = ''] = /^(\s*(?:-\s+)?(?:[^\s:"'][^:]*:\s+)?)(.*)$/.exec(line)!;
  const inQuotes = { index, repaired: `${lead}${JSON.stringify(value)}` };
  const shown = inQuotes.repaired.replace(/^[\s-]+/, '');
  if (error.code === 'TAB_AS_INDENT') {
    return { index, message: 'a tab comes before the text. Use spaces: two for each level' };
  }
  if (error.code === 'MULTIPLE_DOCS') {
    const end = lines.findLastIndex((each, at) => at <= index && /^(---|\.\.\.)/.test(each));
    const mark = lines[end]!.slice(0, 3);
    return { index: end, message: `a line of ${mark} ends the file for its reader. Take it out`, repaired: '' };
  }
  if (error.code === 'DUPLICATE_KEY') {
    return { index, message: 'this field is written twice in its group. Keep one of the two lines', isHarmless: true };
  }
  const known = explainEmptyBrackets(lines, index) ?? explainOpenQuote(error, lines, index);
  if (known) return known;
  if (/^(?:[@`%&*!{]|[-?>|]\s)/.test(value)) {
    return { ...inQuotes, message: `a text that begins with ${value[0]} must be in quotes: ${shown}` };
  }
  if (!/^["']/.test(value) && lead.trimEnd().endsWith(':') && /:(?:\s|$)/.test(value)) {
    return { ...inQuotes, message: `a text with a colon must be in quotes: ${shown}` };
  }
  if (error.code === 'UNEXPECTED_TOKEN' && /^["']/.test(value)) {
    const other = value.startsWith('"') ? "'" : '"';
    const advice = `Put ${other} around the whole text, or take the mark out`;
    return { ...inQuotes, message: `a quotation mark within the text ends it. ${advice}` };
  }
  if (error.message.startsWith('Unexpected , in flow')) {
    return { index, message: 'two commas follow each other in these brackets. Take one out', isHarmless: true };
  }
  if (error.code === 'BAD_DQ_ESCAPE') {
    return { index, message: String.raw`in double quotes, \ has a meaning of its own. Write \\`, isHarmless: true };
  }
  return explainLevel(error, lines, index);
}

/** `tags: []` above the entries that were added to it. */
function explainEmptyBrackets(lines: string[], index: number): Explained | undefined {
  const isRead = (line: string) => /^\s*[^\s#]/.test(line);
  const above = lines.slice(0, index).findLastIndex(isRead);
  const below = lines.slice(index).find(isRead) ?? '';
  const [, indent, name, brackets] = /^(\s*)([\w-]+): +(\[\]|\{\}) *(?:#.*)?$/.exec(lines[above] ?? '') ?? [];
  if (brackets === undefined || !(/^\s*-/.test(below) || below.startsWith(`${indent} `))) return undefined;
  const message = `${name}: ${brackets} says that nothing is in it, and lines below belong to it. Take ${brackets} out`;
  return { index: above, message, repaired: lines[above]!.replace(brackets, '').trimEnd() };
}

/** A bracket or quote that is never closed shows only where something else begins. */
function explainOpenQuote(error: YAMLParseError, lines: string[], index: number): Explained | undefined {
  if (/^Flow (sequence|map)|closing|to end with/.test(error.message) || error.code === 'UNEXPECTED_TOKEN') {
    for (let at = 0; at <= index; at += 1) {
      const [, mark = '', rest = ''] = /^[^#]*?(?::|-)\s+(["'[])(.*)$/.exec(lines[at] ?? '') ?? [];
      const closing = mark === '[' ? ']' : mark;
      if (mark !== '' && !rest.includes(closing)) {
        const what = mark === '[' ? 'a bracket [' : `a quotation mark ${mark}`;
        const message = `${what} is opened here and never closed. Write ${closing} at the end`;
        return { index: at, message, repaired: `${lines[at]}${closing}` };
      }
    }
  }
  return undefined;
}

function explainLevel(error: YAMLParseError, lines: string[], index: number): Explained {
  const line = lines[index]!;
  if (/^\s*(#|$)/.test(line) && index < lines.length - 1) return explainLevel(error, lines, index + 1);
  const indent = (text: string | undefined) => (text ?? '').search(/\S|$/);
  if (/^\s*(?:-\s+)?[\w-]+:[^\s:/]/.test(line)) {
    return { index, message: 'a space is missing after the colon', repaired: line.replace(':', ': ') };
  }
  // The parser names the line before one that is too far to the right.
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && indent(lines[index + 1]) > indent(line) && !/^\s*-/.test(line)) {
    return { index: index + 1, message: 'this line is indented too far. Begin it where its neighbours begin' };
  }
  if (!line.includes(':') && !/^\s*-/.test(line)) {
    return {
      index,
      message: 'this line is no field. Write it as "name: text", or indent it to go on with the text above',
    };
  }
  return { index, message: 'this line does not begin where its neighbours begin. Give it as many spaces as they have' };
}
