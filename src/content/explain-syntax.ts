import type { ErrorCode, YAMLParseError } from 'yaml';

/** `index` counts lines from 0. */
type Explained = { index: number; message: string };

/** `isText` of a mistake that ends with its line: others may only follow from it. */
type SyntaxMistake = Explained & { isText: boolean };

/**
 * Explains a YAML parser's complaint in an owner's words.
 * @param place index of the line that the parser names
 * @returns the line that is to change
 */
export function explainSyntax(error: YAMLParseError, lines: string[], place: number): SyntaxMistake {
  const read = lines.findIndex((line, at) => at >= place && isRead(line));
  const index = read === -1 ? place : read;
  const message = MESSAGES[error.code];
  const found = message ? { index, message } : (findEmptyBrackets(lines, index) ?? findOpenMark(error, lines, index));
  const text = found ? undefined : findUnquoted(error, lines, index);
  return { ...(found ?? text ?? explainLevel(error, lines, index)), isText: text !== undefined };
}

function isRead(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: String.raw`in double quotes, \ has a meaning of its own. Write \\`,
  DUPLICATE_KEY: 'this field is written twice in its group. Keep one of the two lines',
  MULTIPLE_DOCS: 'a line of --- or ... ends the file for its reader, here or above. Take it out',
  TAB_AS_INDENT: 'a tab comes before the text. Use spaces: two for each level',
};

/** `tags: []` above the entries that were added to it. */
function findEmptyBrackets(lines: string[], index: number): Explained | undefined {
  const above = lines.slice(0, index).findLastIndex(isRead);
  const [, indent, name, brackets] = /^(\s*)([\w-]+): +(\[\]|\{\}) *(?:#.*)?$/.exec(lines[above] ?? '') ?? [];
  const line = lines[index]!;
  if (brackets === undefined || !(/^\s*-/.test(line) || line.startsWith(`${indent} `))) return undefined;
  const message = `${name}: ${brackets} says that nothing is in it, and lines below belong to it. Take ${brackets} out`;
  return { index: above, message };
}

/** The parser finds that a bracket or quote is never closed where something else begins. */
function findOpenMark(error: YAMLParseError, lines: string[], index: number): Explained | undefined {
  if (error.code !== 'UNEXPECTED_TOKEN' && !/^Flow|closing/.test(error.message)) return undefined;
  for (const [at, line] of lines.slice(0, index + 1).entries()) {
    const [, mark = '', rest = ''] = /^[^#]*?[:-]\s+(["'[])(.*)$/.exec(line) ?? [];
    const closing = mark === '[' ? ']' : mark;
    const message = `${mark} is opened here and never closed. Write ${closing} at the end`;
    if (mark !== '' && !rest.includes(closing)) return { index: at, message };
  }
  return undefined;
}

function findUnquoted(error: YAMLParseError, lines: string[], index: number): Explained | undefined {
  const [, name = '', value = ''] = /^\s*(?:-\s+)?([^\s:"'][^:]*:\s+)?(.*)$/.exec(lines[index]!)!;
  const quoted = name + JSON.stringify(value);
  if (/^(?:[@`%&*!{]|[-?>|]\s)/.test(value)) {
    return { index, message: `a text that begins with ${value[0]} must be in quotes: ${quoted}` };
  }
  if (/^["']/.test(value)) {
    const other = value.startsWith('"') ? "'" : '"';
    const message = `a quotation mark within the text ends it. Put ${other} around the whole text, or take the mark out`;
    return error.code === 'UNEXPECTED_TOKEN' ? { index, message } : undefined;
  }
  const hasColon = name !== '' && /:(?:\s|$)/.test(value);
  return hasColon ? { index, message: `a text with a colon must be in quotes: ${quoted}` } : undefined;
}

function explainLevel(error: YAMLParseError, lines: string[], index: number): Explained {
  const line = lines[index]!;
  const indent = (text = '') => text.search(/\S|$/);
  if (error.code === 'UNEXPECTED_TOKEN') {
    const message = /[[{]/.test(line)
      ? 'these brackets cannot be read. Put exactly one comma between two entries, and nothing after the last bracket'
      : 'this line cannot be read. Put the whole text after the colon in quotes';
    return { index, message };
  }
  if (/^\s*(?:-\s+)?[\w-]+:[^\s:/]/.test(line)) return { index, message: 'a space is missing after the colon' };
  // The parser names the line before one that is too far to the right.
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && indent(lines[index + 1]) > indent(line) && !/^\s*-/.test(line)) {
    return { index: index + 1, message: 'this line is indented too far. Begin it where its neighbours begin' };
  }
  const message =
    line.includes(':') || /^\s*-/.test(line)
      ? 'this line does not begin where its neighbours begin. Give it as many spaces as they have'
      : 'this line is not a field. Write it as "name: text", or indent it to go on with the text above';
  return { index, message };
}
