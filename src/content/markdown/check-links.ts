import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Content, MarkdownContent } from '../schemas/content-schema.ts';
import { decodeText } from '../text/decode-text.ts';
import type { Redirect } from '../schemas/pages-schema.ts';
import { formatFieldName } from '../text/yaml-text.ts';
import { RESERVED_PATHS } from '../check-public-files.ts';
import { createFileCheck } from '../list-files.ts';
import { findImageError, listNodes, type MarkdownNode, parseMarkdown } from './markdown.ts';
import { type Drafts, type FileError, nameFile } from '../parse-content.ts';
import { POLICY_FILE } from './read-markdown-page.ts';

/**
 * Finds Markdown pages that have the same path as a page made of components.
 * @param folder absolute path of content/
 * @param paths of all pages, including those made of components
 * @returns a line for each, beginning with the file's path
 */
export function findPathClashes(folder: string, { markdownPages }: Content, paths: string[]): string[] {
  const clashes = markdownPages.filter(({ path }) => paths.filter((each) => each === path).length > 1);
  return clashes.map(({ path }) => {
    const file = nameFile(folder, `pages${path}.md`);
    return `${file}: src/pages/ has a page at ${path} too. Give the file another name`;
  });
}

/**
 * Finds redirects that loop, lead nowhere, or have the path of a page or a file: hosts differ in which of those wins.
 * @param paths of all pages
 * @param isFile whether the site has a file at a path
 */
export function findRedirectErrors(
  { pages: { redirects } }: Pick<Content, 'pages'>,
  paths: string[],
  isFile: (path: string) => boolean,
): FileError[] {
  const taken = new Set(paths);
  const targets = new Map(redirects.map(({ from, to }) => [from, toPath(to)]));
  const isLoop = (from: string) => {
    let path: string | undefined = from;
    for (let steps = 0; path !== undefined && steps < redirects.length; steps += 1) {
      path = targets.get(path);
      if (path === from) return true;
    }
    return false;
  };
  const hasTarget = (path: string) =>
    paths.includes(path) || targets.has(path) || isFile(path) || GENERATED_FILES.has(path) || !path.startsWith('/');
  const findError = ({ from, to }: Redirect): string | undefined => {
    if (isLoop(from)) return `${from} would lead back to itself`;
    if (RESERVED_PATHS.test(from.slice(1))) return `the site itself uses ${from}`;
    if (taken.has(from) || isFile(from)) return `the site has a page or a file at ${from}, or redirects it already`;
    taken.add(from);
    return hasTarget(toPath(to)) ? undefined : `${from} would lead to ${to}, where the site has no page and no file`;
  };
  return redirects.flatMap((redirect, index) => {
    const message = findError(redirect);
    const field = formatFieldName(['redirects', index, 'from']);
    return message === undefined ? [] : [{ file: 'pages.yaml', line: 1, column: 1, field, message }];
  });
}

/** Returns the part of a URL that selects a redirect. */
function toPath(url: string): string {
  return url.split(/[?#]/, 1)[0]!.replace(/(?<=.)\/$/, '');
}

/**
 * Finds broken links and missing pictures in Markdown pages.
 * @param from.folder absolute path of content/
 * @param from.publicFolder absolute path of public/
 * @param paths of all pages, including those made of components
 * @param drafts replace files of the folder
 */
export function findBrokenLinks(
  { folder, publicFolder }: { folder: string; publicFolder: string },
  content: Content,
  paths: string[],
  drafts: Drafts = new Map(),
): FileError[] {
  const pages = [content.privacyPolicy, ...content.markdownPages];
  const isPublicFile = createFileCheck(publicFolder);
  const leadsSomewhere = (path: string) => paths.includes(path) || GENERATED_FILES.has(path) || isPublicFile(path);
  return pages.flatMap((page) => {
    const file = page === content.privacyPolicy ? POLICY_FILE : `pages${page.path}.md`;
    const { text: source = '' } = decodeText(drafts.get(file) ?? readFileSync(join(folder, file)));
    return listNodes(parseMarkdown(source)).flatMap((node) => {
      const problem =
        node.type === 'image'
          ? findImageError(node, isPublicFile)
          : findLinkError(node, page, { pages, leadsSomewhere });
      if (problem === undefined) return [];
      return [{ file, line: node.line, column: 1, message: problem }];
    });
  });
}

/** Generated files that a page may link to. */
const GENERATED_FILES = new Set([
  '/licenses.txt',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
]);

type Targets = { pages: MarkdownContent[]; leadsSomewhere: (path: string) => boolean };

function findLinkError({ type, url }: MarkdownNode, page: MarkdownContent, targets: Targets): string | undefined {
  const { pages, leadsSomewhere } = targets;
  const found = JSON.stringify(url);
  // The schema has checked the URL of a fact in braces.
  if (type !== 'link' || url.startsWith('{') || /^(https?:\/\/.|mailto:.|tel:.)/i.test(url)) return undefined;
  const [path = '', fragment] = url.split('#', 2);
  // A link that was copied from a browser has umlauts as %C3%BC.
  const id = fragment === undefined ? undefined : tryDecodeURIComponent(fragment).normalize('NFC');
  const target = path === '' ? page : pages.find((each) => each.path === path);
  if (target && (id === undefined || target.sections.some((section) => section.id === id))) return undefined;
  if (target) return `link: ${target.path} has no heading for ${found}`;
  if (path.startsWith('/') && leadsSomewhere(path)) return undefined;
  return `link: expected https://…, mailto:…, a page such as /privacy-policy or a file in public/, but found ${found}`;
}
