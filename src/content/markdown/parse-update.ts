import { createHash } from 'node:crypto';
import { type UpdateFrontMatter, updateSchema } from '../schemas/content-schema.ts';
import { findHardToRead } from './find-hard-to-read.ts';
import { findMarkdownSign, findRawMarkdown } from './find-raw-markdown.ts';
import { findImageError, listNodes, type MarkdownNode, parseMarkdown } from './markdown.ts';
import { fillLines } from '../text/placeholders.ts';
import { type Fill, type SourceError, readFrontMatter } from '../text/yaml-text.ts';

/** A checked update, with its placeholders filled in. */
export type Update = UpdateFrontMatter & {
  body: MarkdownNode[];
  /** Its pictures, such as `/chart.png`. */
  images: MarkdownNode[];
  /** Markdown that readers would see as it was typed, and text that they would find hard to read. */
  warnings: SourceError[];
  /** Changes whenever the text that people read changes. */
  textHash: string;
};

/**
 * Parses an update: front matter between two lines of `---`, then Markdown.
 * @param source the file's text, its lines separated by `\n`
 * @param options.isPublicFile whether a path such as `/chart.png` is in public/
 * @returns every error; the update only if there is none
 */
export function parseUpdate(
  source: string,
  options: { fill: Fill; isPublicFile: (path: string) => boolean },
): { update?: Update; errors: SourceError[] } {
  const read = readFrontMatter(source, updateSchema, options.fill);
  if (read === undefined) return { errors: [{ line: 1, column: 1, message: NO_FRONT_MATTER }] };
  const { value, errors, firstLine } = read;
  const found = [...errors];
  const text = fillLines(read.body, options.fill, { firstLine, errors: found });
  const body = parseMarkdown(text, firstLine);
  const nodes = listNodes(body);
  for (const node of nodes) {
    const message = findNodeError(node, options);
    if (message !== undefined) found.push({ line: node.line, column: 1, message });
  }
  if (body.length === 0) {
    found.push({
      line: firstLine - 1,
      column: 1,
      message: 'this update has no text. Write it below the second ---',
    });
  }
  if (value === undefined || found.length > 0) return { errors: found };
  return {
    update: {
      ...value,
      body,
      images: nodes.filter(({ type }) => type === 'image'),
      warnings: [...findFieldWarnings(source, value), ...findRawMarkdown(text, firstLine), ...findHardToRead(body)],
      textHash: hashText([value.subject, value.preview, ...text.trim().split(/\s*\n\s*/)]),
    },
    errors: [],
  };
}

function hashText(lines: string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

const NO_FRONT_MATTER =
  'its front matter must be between two lines of ---. Begin the file with ---, then subject and preview, then --- again';

/** Inboxes show the subject and the line after it as plain text. */
function findFieldWarnings(source: string, { subject, preview }: UpdateFrontMatter): SourceError[] {
  return Object.entries({ subject, preview }).flatMap(([field, value]) => {
    const sign = findMarkdownSign(value);
    if (sign === undefined) return [];
    const line = 1 + source.split('\n').findIndex((each) => each.trimStart().startsWith(`${field}:`));
    return [{ line, column: 1, field, message: `${sign} will be sent as typed. Inboxes show plain text here` }];
  });
}

function findNodeError(
  node: MarkdownNode,
  { isPublicFile }: { isPublicFile: (path: string) => boolean },
): string | undefined {
  const { type, url, number } = node;
  // A remaining brace is a separate error.
  if (type === 'link' && !url.includes('{') && !isLink(url)) {
    return `link: expected an address that begins with https:// or mailto:, but found ${JSON.stringify(url)}`;
  }
  if (type === 'image') return findImageError(node, isPublicFile);
  if (type === 'heading' && number > 3) return 'heading: expected at most three #';
  const unsupported = UNSUPPORTED[type];
  return unsupported && `${unsupported}: emails show paragraphs, headings, lists, quotes, lines, links and images only`;
}

const UNSUPPORTED: Record<string, string> = {
  fence: 'code',
  html_block: 'html',
  html_inline: 'html',
  table: 'table',
};

/** `https://` and `mailto:` alone have no target. */
function isLink(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'mailto:') return url.pathname.includes('@');
  return url?.protocol === 'https:' && url.hostname !== '' && /^https:\/\//i.test(text);
}
