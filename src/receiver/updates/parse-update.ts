import { createHash } from 'node:crypto';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { type UpdateFacts, updateSchema } from '#shared/content-schema.ts';
import { type Fill, type Mistake, readYamlText } from '#server/content/yaml-text.ts';

/** An update as its file has it, checked, with its placeholders filled in. */
export type Update = UpdateFacts & {
  body: Root;
  /** Changes with every change of the file. */
  contentHash: string;
};

/**
 * Parses an update of content/updates/: facts between two lines of `---`, then Markdown.
 * @param source the file's text, its lines parted by `\n`
 * @param options.isPublicFile tells whether a path such as `/chart.png` is in public/
 * @returns every mistake at once; the update only when there is none
 */
export function parseUpdate(
  source: string,
  options: { fill: Fill; isPublicFile: (path: string) => boolean },
): { update?: Update; mistakes: Mistake[] } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  if (match === null) return { mistakes: [{ line: 1, column: 1, message: NO_FACTS }] };
  const [, facts = '', text = ''] = match;
  const { value, mistakes } = readYamlText({ source: facts, schema: updateSchema, fill: options.fill });
  const linesBefore = facts.split('\n').length + 2;
  const body = fromMarkdown(text);
  const found = [...mistakes.map(below(1)), ...findMistakes(body, text, options).map(below(linesBefore))];
  if (body.children.length === 0) {
    found.push({ line: linesBefore, column: 1, message: 'nothing is written below the facts. Write the update there' });
  }
  if (value === undefined || found.length > 0) return { mistakes: found };
  return {
    update: { ...value, body, contentHash: createHash('sha256').update(source).digest('hex') },
    mistakes: [],
  };
}

const NO_FACTS =
  'its facts must stand between two lines of ---. Begin it with ---, then subject and preview, then --- again';

function below(lines: number): (mistake: Mistake) => Mistake {
  return (mistake) => ({ ...mistake, line: mistake.line + lines });
}

type Check = { fill: Fill; isPublicFile: (path: string) => boolean };

/** Fills in the placeholders on its way. */
function findMistakes(node: Nodes, text: string, check: Check): Mistake[] {
  const { line = 1, column = 1, offset = 0 } = node.position?.start ?? {};
  const mistakes: Mistake[] = complaintsAbout(node, check).map((message) => ({ line, column, message }));
  fillNode(node, (value) =>
    check.fill(value, (found, message) => {
      const before = text.slice(0, Math.max(offset, text.indexOf(found, offset))).split('\n');
      mistakes.push({ line: before.length, column: (before.at(-1) ?? '').length + 1, message });
    }),
  );
  const children = 'children' in node ? node.children : [];
  return [...mistakes, ...children.flatMap((child) => findMistakes(child, text, check))];
}

function complaintsAbout(node: Nodes, { isPublicFile }: Check): string[] {
  switch (node.type) {
    case 'link':
      return /^(https:\/\/|mailto:)/.test(node.url)
        ? []
        : [`link: expected an address that begins with https://, but found ${JSON.stringify(node.url)}`];
    case 'image':
      return [
        ...(node.alt?.trim() ? [] : ['image: describe it between the square brackets, such as ![A chart of pay](…)']),
        ...(node.url.startsWith('/') && isPublicFile(node.url)
          ? []
          : [`image: expected a file of public/, such as /chart.png, but found ${JSON.stringify(node.url)}`]),
      ];
    case 'heading':
      return node.depth <= 3 ? [] : ['heading: expected at most three #'];
    default:
      return KNOWN.has(node.type)
        ? []
        : [`${node.type}: mails show paragraphs, headings, lists, quotes, lines, links and images only`];
  }
}

const KNOWN = new Set<Nodes['type']>([
  'root',
  'paragraph',
  'text',
  'emphasis',
  'strong',
  'inlineCode',
  'break',
  'list',
  'listItem',
  'blockquote',
  'thematicBreak',
]);

function fillNode(node: Nodes, fill: (text: string) => string): void {
  if (node.type === 'text') node.value = fill(node.value);
  if (node.type === 'image') node.alt = fill(node.alt ?? '');
  if (node.type === 'link') node.url = fill(node.url);
}
