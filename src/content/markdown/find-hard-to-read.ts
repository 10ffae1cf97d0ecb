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
      if (!isMeaningless(words)) return undefined;
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

/** Whether a link's text doesn't describe its target: it has only vague words, or only symbols such as an arrow. */
function isMeaningless(text: string): boolean {
  const words = toSlug(text).split('-').filter(Boolean);
  return words.every((word) => VAGUE_WORDS.has(word) || (words.at(-1) === 'here' && ACTIONS.has(word)));
}

const VAGUE_WORDS = new Set(
  'all article at by check click clicking continue details discover download find follow full go here info information it learn link look me more now on online open out over page please post press read reading right see story tap that the this up url view visit watch website'.split(
    ' ',
  ),
);

/** These say what a link is for, but not in front of “here”. */
const ACTIONS = new Set(['apply', 'book', 'enter', 'get', 'join', 'register', 'reply', 'sign', 'subscribe', 'vote']);

/** In characters: about 170 words. */
const LONG_LINE = 1000;

/** A newly inserted picture is described by its file's name until somebody describes it. */
function isFileName({ text, url }: MarkdownNode): boolean {
  const words = toSlug(text.replace(FILE_ENDING, ''));
  const file = toSlug(url.slice(url.lastIndexOf('/') + 1).replace(FILE_ENDING, ''));
  return words === file || FILE_ENDING.test(text) || isCameraName(words);
}

/** Whether it is a name that phones and programs give, such as IMG_1234, Screenshot 2026-11-28, 20261128_101010 or Untitled. */
function isCameraName(slug: string): boolean {
  const words = slug.split('-').filter(Boolean);
  return words.every(
    (word) => CAMERA_WORDS.has(word.replaceAll(/\d/g, '')) || /\d{3}|^(?=.*\d)[\da-f]{4,}$/.test(word),
  );
}

const CAMERA_WORDS = new Set([
  '',
  ...'am app at bild bildschirmfoto capture copy download dsc dscn file foto image img mvimg of photo picture pm pxl scan screen screenshot shot slide um unnamed untitled vid wa whats whatsapp'.split(
    ' ',
  ),
]);

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
