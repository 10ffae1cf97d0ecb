import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Renders Markdown, with GitHub's tables, as HTML. Raw HTML is shown as it was typed, and so is a link that runs a
 * script or contains data; the build refuses other wrong URLs (check-links.ts).
 */
export function markdownToHtml(text: string): string {
  return forPages.render(text);
}

const forPages = new MarkdownIt('commonmark', { html: false }).enable('table');

/** A node of a Markdown text. Raw HTML is a node of its own, to be refused. */
export type MarkdownNode = {
  /** As markdown-it names it, such as `paragraph` or `list_item`. */
  type: string;
  /** The line of its file, counted from 1. */
  line: number;
  /** The words of a text, or the description of a picture. */
  text: string;
  /** The URL of a link or a picture. */
  url: string;
  /** The level of a heading, 1 to 6, or the first number of a numbered list. */
  number: number;
  children: MarkdownNode[];
};

/**
 * Parses Markdown into a tree. URLs stay as they were typed, so that a check can quote them.
 * @param firstLine the line of the file in which the text begins
 */
export function parseMarkdown(text: string, firstLine = 1): MarkdownNode[] {
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
  return build(forTrees.parse(text, {}));
}

/** @returns every node of a tree, parents first */
export function listNodes(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...listNodes(node.children)]);
}

/** @param isPublicFile whether a path such as `/chart.png` is in public/ */
export function findImageMistake(
  { text, url }: MarkdownNode,
  isPublicFile: (path: string) => boolean,
): string | undefined {
  if (text.trim() === '') return 'image: describe it between the square brackets, such as ![A chart of pay](…)';
  if (isPublicFile(url)) return undefined;
  return `image: expected a file of public/, such as /chart.png, but found ${JSON.stringify(url)}`;
}

const forTrees = new MarkdownIt('commonmark').enable('table');
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
