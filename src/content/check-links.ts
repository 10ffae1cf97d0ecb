import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content, MarkdownContent } from '#shared/content-schema.ts';
import { MADE_FILES } from './check-public-files.ts';
import { decodeText } from './decode-text.ts';
import { createFileCheck } from './list-files.ts';
import { findImageMistake, listNodes, type MarkdownNode, parseMarkdown } from './markdown.ts';
import { nameFile } from './read-content.ts';
import { POLICY_FILE } from './read-markdown-page.ts';
import { formatMistake } from './yaml-text.ts';

/**
 * Finds links and pictures of Markdown pages that lead nowhere.
 * @param folder absolute path of content/
 * @param publicFolder absolute path of public/
 * @returns a line for each, beginning with file, line and column
 */
export function findBrokenLinks(folder: string, publicFolder: string, content: Content): string[] {
  const pages = [content.privacyPolicy, ...content.markdownPages];
  const isPublicFile = createFileCheck(publicFolder);
  return pages.flatMap((page) => {
    const file = page === content.privacyPolicy ? POLICY_FILE : `pages${page.path}.md`;
    const { text: source = '' } = decodeText(readFileSync(join(folder, file)));
    return listNodes(parseMarkdown(source)).flatMap((node) => {
      const problem = findProblem(node, page, pages, isPublicFile);
      if (problem === undefined) return [];
      return [formatMistake(nameFile(folder, file), { line: node.line, column: 1, message: problem })];
    });
  });
}

function findProblem(
  node: MarkdownNode,
  page: MarkdownContent,
  pages: MarkdownContent[],
  isPublicFile: (path: string) => boolean,
): string | undefined {
  const { type, url } = node;
  const found = JSON.stringify(url);
  if (type === 'image') return findImageMistake(node, isPublicFile);
  // A fact in braces is an address that the schema has checked.
  if (type !== 'link' || url.startsWith('{') || /^(https?:\/\/.|mailto:.|tel:.)/i.test(url)) return undefined;
  const [path = '', id] = url.split('#', 2);
  const target = path === '' ? page : pages.find((each) => each.path === path);
  if (target && (id === undefined || target.sections.some((section) => section.id === id))) return undefined;
  if (target) return `link: ${target.path} has no heading for ${found}`;
  const isElsewhere = path === '/' || MADE_FILES.includes(path.slice(1)) || isPublicFile(path);
  if (path.startsWith('/') && isElsewhere) return undefined;
  return `link: expected https://…, mailto:…, a page such as /privacy-policy or a file of public/, but found ${found}`;
}
