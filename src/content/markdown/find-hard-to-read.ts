import { listNodes, type MarkdownNode } from './markdown.ts';
import type { SourceError } from '../text/yaml-text.ts';

/**
 * Finds text that is hard to read: link text or alternative text that means nothing to screen reader users, and
 * paragraphs that are too long.
 * @returns a warning for each
 */
export function findHardToRead(nodes: MarkdownNode[]): SourceError[] {
  return listNodes(nodes).flatMap((node) => {
    const message = findWarning(node);
    return message === undefined ? [] : [{ line: node.line, column: 1, message }];
  });
}

function findWarning(node: MarkdownNode): string | undefined {
  switch (node.type) {
    case 'link': {
      const words = readText(node);
      if (!MEANINGLESS_TEXT.test(words)) return undefined;
      return `the link “${words}” does not say where it leads. Use words such as “our salary report” instead`;
    }
    case 'image':
      if (!isFileName(node)) return undefined;
      return `the picture “${node.text}” is described by its file’s name. Say what it shows, for readers who can’t see it`;
    case 'paragraph': {
      const longest = Math.max(...splitLines(node).map((line) => line.length));
      if (longest <= LONG_LINE) return undefined;
      const length = longest.toLocaleString('en-GB');
      return `this paragraph has ${length} characters and no break. Leave an empty line wherever a new thought begins`;
    }
    default:
      return undefined;
  }
}

const MEANINGLESS_TEXT =
  /^\W*(?:(?:please )?(?:(?:click|tap|press|read|see|find|follow|visit|download)(?: (?:it|this|more|on))? )?(?:here|this|this link|the link|this page|link)|(?:read|learn|see|find out|discover|continue) (?:more|on|reading)|more|(?:more )?(?:info|information|details)|click(?: me)?|download|website|url)\W*$/i;

/** In characters: about 170 words. */
const LONG_LINE = 1000;

/** A newly inserted picture is described by its file's name until somebody describes it. */
function isFileName({ text, url }: MarkdownNode): boolean {
  const words = toSlug(text.replace(FILE_ENDING, ''));
  const file = toSlug(url.slice(url.lastIndexOf('/') + 1).replace(FILE_ENDING, ''));
  return words === file || FILE_ENDING.test(text) || CAMERA_NAME.test(words);
}

/** Names that phones and programs give, such as IMG_1234, Screenshot 2026-11-28 or Untitled. */
const CAMERA_NAME =
  /^(?:img|dsc|dscn|pxl|mvimg|image|picture|screen-?shot|photo|whats-?app-image|untitled|unnamed|download)(?:-?\d.*|-at-.*)?-*$/;

const FILE_ENDING = /\.(?:png|jpe?g|gif|webp|avif|heic|svg|tiff?)$/i;

function toSlug(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}

function readText(node: MarkdownNode): string {
  return listNodes(node.children)
    .map(({ text }) => text)
    .join('');
}

function splitLines(paragraph: MarkdownNode): string[] {
  const parts = listNodes(paragraph.children).map(({ type, text }) => (type.endsWith('break') ? '\n' : text));
  return parts.join('').split('\n');
}
