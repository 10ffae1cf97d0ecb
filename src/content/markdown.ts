import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Markdown as HTML, with the tables of GitHub's. Raw HTML is shown as it was typed; an address that is not one of the
 * web, of mail, of a telephone or of this site is dropped.
 */
export function markdownToHtml(text: string): string {
  return forPages.render(text);
}

const forPages = new MarkdownIt('commonmark', { html: false }).enable('table');
const normalizeLink = forPages.normalizeLink.bind(forPages);
forPages.validateLink = () => true;
forPages.normalizeLink = (url) => (/^(https?:|mailto:|tel:|[/#])/i.test(url) ? normalizeLink(url) : '');

/** A part of a Markdown text. Raw HTML is a part of its own, to be refused. */
export type MarkdownNode = {
  /** As markdown-it names it, such as `paragraph` or `list_item`. */
  type: string;
  /** Where it begins in the text. */
  offset: number;
  /** Of a text, its words; of a picture, its description. */
  text: string;
  /** Of a link or a picture. */
  url: string;
  /** Of a heading, 1 to 6; of a numbered list, its first number. */
  number: number;
  children: MarkdownNode[];
};

/** Markdown as a tree. Addresses stay as they were typed, so that a check can name them. */
export function parseMarkdown(text: string): MarkdownNode[] {
  const lines = text.split('\n');
  const starts = lines.reduce<number[]>((all, line) => [...all, all.at(-1)! + line.length + 1], [0]);
  let offset = 0;
  const build = (tokens: Token[]): MarkdownNode[] => {
    const open: MarkdownNode[][] = [[]];
    for (const token of tokens) {
      if (token.type === 'text' && token.content === '') continue;
      if (token.map) offset = starts[token.map[0]]! + lines[token.map[0]]!.search(/\S|$/);
      if (token.type === 'inline') open.at(-1)!.push(...build(token.children ?? []));
      else if (token.nesting === -1) open.pop();
      else {
        // Inline tokens have no place of their own: it is found by how they begin, from where the last one ended.
        const found = token.map ? offset : text.indexOf(findBeginning(token), offset);
        if (found !== -1) offset = found;
        const node = toNode(token, offset);
        open.at(-1)!.push(node);
        if (token.nesting === 0 && !token.map && found !== -1) offset += findBeginning(token).length;
        if (token.nesting === 1) open.push(node.children);
      }
    }
    return open[0]!;
  };
  return build(forTrees.parse(text, {}));
}

/** @returns every part of a tree, each before its own parts */
export function listNodes(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...listNodes(node.children)]);
}

/** @param isPublicFile tells whether a path such as `/chart.png` is in public/ */
export function findImageMistake(
  { text, url }: MarkdownNode,
  isPublicFile: (path: string) => boolean,
): string | undefined {
  if (text.trim() === '') return 'image: describe it between the square brackets, such as ![A chart of pay](…)';
  if (/^\/[^/]/.test(url) && isPublicFile(url)) return undefined;
  return `image: expected a file of public/, such as /chart.png, but found ${JSON.stringify(url)}`;
}

const forTrees = new MarkdownIt('commonmark').enable('table');
forTrees.validateLink = () => true;
forTrees.normalizeLink = (url) => url;

function findBeginning({ type, markup, content }: Token): string {
  if (type === 'link_open') return markup === 'autolink' ? '<' : '[';
  if (type === 'image') return '![';
  if (type.endsWith('break')) return '\n';
  return markup || content;
}

function toNode(token: Token, offset: number): MarkdownNode {
  return {
    type: token.type.replace(/_open$/, ''),
    offset,
    text: token.content,
    url: String(token.attrGet('href') ?? token.attrGet('src') ?? ''),
    number: token.type === 'heading_open' ? Number(token.tag.slice(1)) : Number(token.attrGet('start') ?? 1),
    children: [],
  };
}
