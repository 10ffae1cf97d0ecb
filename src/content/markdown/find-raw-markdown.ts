import { listNodes, parseMarkdown } from './markdown.ts';
import type { SourceError } from '../text/yaml-text.ts';

/**
 * Finds Markdown that readers would see as it was typed: syntax that emails don't support, or that is
 * incomplete.
 * @param firstLine the line of the file on which the text begins
 * @returns a warning for each kind of mark on each line
 */
export function findRawMarkdown(text: string, firstLine = 1): SourceError[] {
  // Readers are meant to see a mark that follows a backslash.
  const withoutEscaped = text.replaceAll(/\\[!-/:-@[-`{-~]/g, ESCAPED);
  const nodes = listNodes(parseMarkdown(withoutEscaped, firstLine, { linkify: false }));
  let previous: (typeof nodes)[number] | undefined;
  return nodes.flatMap((node) => {
    const isStart = previous === undefined || !INLINE.has(previous.type);
    previous = node;
    return node.type === 'text'
      ? findInText(node.text, isStart).map((message) => toSourceError(node.line, message))
      : [];
  });
}

/** @param text of a subject or another field without Markdown. @returns the mark that readers would see, if any */
export function findMarkdownSign(text: string): string | undefined {
  return /\*\*|~~|\[[^\]]+\]\([^)]*\)|^#+ /.exec(text)?.[0];
}

/** A character that doesn't occur in any text. */
const ESCAPED = '\uE000';

/** Nodes that may precede text on the same line. */
const INLINE = new Set(['text', 'em', 'strong', 'link', 'image', 'code_inline']);

type Sign = { found: RegExp; advice: string; isAtStart?: boolean };

const CLOSE = 'Close it, and leave no space between it and the words';
const UNSUPPORTED = 'Emails do not support it';

const SIGNS: Sign[] = [
  {
    found: /!?\[[^\]]+\]\(.*|!?\[[^\]]+\] \((?:https?:|mailto:|\/).*/,
    advice: 'Write [words](https://…) without spaces; a space in an address is %20',
  },
  { found: /\[\^[^\]]+\]/, advice: UNSUPPORTED },
  { found: /\[[^\]]+\]\[[^\]]*\]/, advice: 'Write the address: [words](https://…)' },
  { found: /\*\*/, advice: CLOSE },
  { found: /(?<![\S])\*(?=[^\s*])/, advice: CLOSE },
  { found: /(?<![\w_])__(?=[^\s_])|(?<=[^\s_])__(?![\w_])/, advice: CLOSE },
  { found: /(?<!\S)_(?=[^\s_])/, advice: CLOSE },
  { found: /\((?:https?:|mailto:)[^\s()]*\)\[[^\]]+\]/, advice: 'Write [words](https://…), with the words first' },
  { found: /~~|(?<![\p{L}\p{N}/~])~(?=[^\s~])[^~]*[^\s~]~(?![~\p{L}\p{N}])/u, advice: UNSUPPORTED },
  { found: /==(?=\S)/, advice: UNSUPPORTED },
  { found: /`/, advice: CLOSE },
  { found: /:[a-z][a-z_]*[a-z]:/, advice: 'Type the emoji itself' },
  { found: /^\[[ xX]?\](?=\s|$)/, advice: UNSUPPORTED, isAtStart: true },
  {
    found: /^(?:#{1,6}[^\s#\d].*|#{7,}.*)/,
    advice: 'A heading is one to three #, a space, and its text',
    isAtStart: true,
  },
  { found: /^\|(?=.*\|)/, advice: 'Emails do not support tables', isAtStart: true },
  { found: /^(?:[-+]|\d{1,2}[.)])\p{L}.*/u, advice: 'Put a space after the sign to make a list', isAtStart: true },
];

function findInText(text: string, isStart: boolean): string[] {
  return SIGNS.flatMap(({ found, advice, isAtStart }) => {
    const sign = isAtStart && !isStart ? undefined : found.exec(text)?.[0];
    return sign === undefined ? [] : [`${shorten(sign)} will be sent as typed. ${advice}`];
  });
}

function shorten(text: string): string {
  const shown = text.replaceAll(ESCAPED, '\\');
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}

function toSourceError(line: number, message: string): SourceError {
  return { line, column: 1, message };
}
