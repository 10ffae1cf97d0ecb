import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Renders Markdown, with GitHub's tables, as HTML. Raw HTML is shown as it was typed, and so are `javascript:` and
 * `data:` links; the build rejects other invalid URLs (check-links.ts).
 */
export function markdownToHtml(text: string): string {
  return forPages.render(prepareMarkdown(text));
}

/**
 * Turns what people type and paste into Markdown: every kind of line break becomes `\n`; a line that begins with a word
 * processor's bullet becomes a list item; and tabs and other white space after a list marker become an ordinary space.
 */
export function prepareMarkdown(text: string): string {
  let list: { indent: number; bullets: string[] } | undefined;
  const lines = text.replaceAll(LINE_BREAKS, '\n').split('\n');
  const prepared = lines.map((line) => {
    const [, quote = '', indent = '', bullet, other, withTab, words = ''] = LIST_LINE.exec(line) ?? [];
    const mark = bullet ?? other ?? withTab;
    if (mark === undefined) {
      // An empty line doesn't end a list, but the bullets of what follows may be those of another list.
      if (line.trim() === '') list &&= { ...list, bullets: [] };
      else if (/^\S/.test(line)) list = undefined;
      return line.replace(/^([ \t]*(?:#{1,6}|>))\p{Zs}/u, '$1 ');
    }
    const columns = indent.replaceAll('\t', '    ').length;
    // The first entry may be indented: Markdown would read four columns as a code block.
    list ??= { indent: columns, bullets: [] };
    const isNumber = /^\d/.test(mark);
    if (!isNumber && !list.bullets.includes(mark)) list.bullets.push(mark);
    // Word pastes every level without indentation, each with a bullet of its own.
    const depth = columns === list.indent && !isNumber ? list.bullets.indexOf(mark) : 0;
    const shift = Math.max(0, columns - list.indent) + depth * LEVEL;
    return `${quote}${' '.repeat(shift)}${/^[\d*+]/.test(mark) ? mark : '-'} ${words}`;
  });
  return prepared.join('\n');
}

/** How many columns a nested list is indented. */
const LEVEL = 3;

/** The line breaks of Windows and old Macs, PowerPoint's vertical tab, and Unicode's other line breaks. */
export const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/**
 * A list item's quote markers, indentation, list marker and text. Only bullets that never begin a sentence need no space
 * after them. Word's symbol fonts have their bullets at U+F000 and above, or as a letter before a tab. A dash of any
 * length may be a bullet.
 */
const LIST_LINE =
  /^((?:[ \t]*> ?)*)([\t\p{Zs}]*)(?:([•▪▫‣◦●○■□⁃∙◆◇❖➢➤➔►▸⦿\uF000-\uF0FF])\uFE0F?[\t\p{Zs}]*|([·–]|[-*+]|\d{1,9}[.)])[\t\p{Zs}]+|([oqvØü§—])\t[\t\p{Zs}]*)(\S.*)$/u;

/** The only configuration, so that a page and an email render the same text alike. */
function createParser(options: { html: boolean }) {
  const parser = new MarkdownIt('commonmark', { ...options, breaks: true, linkify: true })
    .enable(['table', 'linkify'])
    // An indented line isn't code, and hyphens below a line don't make it a heading.
    .disable(['code', 'lheading']);
  // A line that isn't indented ends a list, since people don't break lines by hand within a list item.
  const endsList: Parameters<typeof parser.block.ruler.before>[2] = (state, line, _, silent) =>
    silent && state.sCount[line]! >= 0 && state.sCount[line]! < state.blkIndent;
  parser.block.ruler.before('paragraph', 'ends_list', endsList, { alt: ['paragraph'] });
  // Shown as they were typed.
  parser.normalizeLinkText = (url) => url;
  const findWebAddress = (text: string, position: number, { re }: typeof parser.linkify) =>
    measureLink(re.get_http_validator(), text, position);
  parser.linkify
    .add('http:', { validate: findWebAddress })
    .add('https:', { validate: findWebAddress })
    .add('//', null)
    .add('ftp:', null)
    .add('www.', {
      validate: (text, position, { re }) => {
        const isPartOfAnother = /[/@]/.test(text[position - 'www.'.length - 1] ?? '');
        return isPartOfAnother ? 0 : measureLink(re.get_relative_proto_validator(), text, position);
      },
      normalize: (match) => {
        match.url = `https://${match.url}`;
      },
    });
  return parser;
}

/** @returns the length of the address at a position, without the punctuation or Markdown that follows it */
function measureLink(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0].replace(/[:*]+$/, '').length ?? 0;
}

const forPages = createParser({ html: false });

// A wide table is in a scrollable region that the keyboard can reach; screen readers name it by its first row.
forPages.renderer.rules.table_open = (tokens, index) => {
  const cells = tokens.slice(
    index,
    tokens.findIndex(({ type }, place) => place > index && type === 'thead_close'),
  );
  const heads = cells.flatMap(({ type, content }) => (type === 'inline' && content !== '' ? [content] : []));
  const name = forPages.utils.escapeHtml(`Table: ${heads.join(', ')}`);
  return `<div role="region" aria-label="${name}" tabindex="0"><table>\n`;
};
forPages.renderer.rules.table_close = () => '</table></div>\n';

/** A node of a Markdown text. Raw HTML is a separate node, so that it can be rejected. */
export type MarkdownNode = {
  /** As markdown-it names it, such as `paragraph` or `list_item`. */
  type: string;
  /** The line of its file, counted from 1. */
  line: number;
  /** The text of a text node, or the alt text of a picture. */
  text: string;
  /** The URL of a link or a picture. */
  url: string;
  /** The level of a heading, 1 to 6, or the first number of a numbered list. */
  number: number;
  children: MarkdownNode[];
};

/**
 * Parses Markdown into a tree. URLs stay as they were typed, so that a check can quote them.
 * @param firstLine the line of the file on which the text begins
 * @param options.linkify whether addresses in a text become links
 */
export function parseMarkdown(text: string, firstLine = 1, { linkify = true } = {}): MarkdownNode[] {
  let line = firstLine;
  const build = (tokens: Token[]): MarkdownNode[] => {
    const open: MarkdownNode[][] = [[]];
    for (const token of tokens) {
      if (token.map) line = firstLine + token.map[0];
      // Inline tokens have no position.
      if (token.type.endsWith('break')) line += 1;
      if (token.type === 'text' && token.content === '') continue;
      if (token.type === 'inline') open.at(-1)!.push(...build(token.children ?? []));
      else if (token.nesting === -1) open.pop();
      else {
        const node = toNode(token, line);
        open.at(-1)!.push(node);
        if (token.nesting === 1) open.push(node.children);
      }
    }
    return open[0]!;
  };
  return build(forTrees.set({ linkify }).parse(prepareMarkdown(text), {}));
}

/** @returns every node of a tree, parents first */
export function listNodes(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...listNodes(node.children)]);
}

/** @param isPublicFile whether a path such as `/chart.png` is in public/ */
export function findImageError(
  { text, url }: MarkdownNode,
  isPublicFile: (path: string) => boolean,
): string | undefined {
  if (text.trim() === '') return 'image: describe it between the square brackets, such as ![A chart of pay](…)';
  if (isPublicFile(url)) return undefined;
  return `image: expected a file in public/, such as /chart.png, but found ${JSON.stringify(url)}`;
}

const forTrees = createParser({ html: true });
forTrees.validateLink = () => true;
forTrees.normalizeLink = (url) => url;

function toNode(token: Token, line: number): MarkdownNode {
  return {
    type: token.type.replace(/_open$/, ''),
    line,
    text: token.content,
    url: String(token.attrGet('href') ?? token.attrGet('src') ?? ''),
    number: token.type === 'heading_open' ? Number(token.tag.slice(1)) : Number(token.attrGet('start') ?? 1),
    children: [],
  };
}
