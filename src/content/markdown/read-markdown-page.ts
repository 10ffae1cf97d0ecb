import { basename } from 'node:path';
import { type MarkdownContent, markdownPageSchema } from '../schemas/content-schema.ts';
import { markdownToHtml, prepareMarkdown } from './markdown.ts';
import { fillLines } from '../text/placeholders.ts';
import { type Fill, type SourceError, readFrontMatter } from '../text/yaml-text.ts';
import { findSlugError } from './page-slug.ts';

/** The page with the table of cookies. */
export const POLICY_FILE = 'privacy-policy.md';

/**
 * Reads a page: facts between two lines of `---`, then sections that begin with `## `.
 * @param file its name in content/, such as `pages/terms.md`, which is shown at /terms
 * @returns every error at once; the page only if its facts could be read
 */
export function readMarkdownPage(
  file: string,
  source: string,
  fill: Fill,
): { page?: MarkdownContent; errors: SourceError[] } {
  const errors: SourceError[] = [];
  const report: ReportError = (line, message) => errors.push({ line, column: 1, message });
  const name = basename(file, '.md');
  const error = file === POLICY_FILE ? undefined : findSlugError(name);
  if (error !== undefined) report(1, `${error}. Give the file another name, such as terms-of-business.md`);
  const read = readFrontMatter(source, markdownPageSchema, fill);
  if (read === undefined) {
    const wrong = source.trim() === '' ? 'this file is empty' : 'its facts must be between two lines of ---';
    report(1, `${wrong}. Begin it with ---, then heading, title, description and lastUpdated, then --- again`);
    return { errors };
  }
  const { value, body, firstLine } = read;
  errors.push(...read.errors);
  const filled = fillLines(body, fill, { firstLine, errors });
  const sections = readSections(filled, firstLine, report);
  if (file === POLICY_FILE && !sections.some(({ id }) => id === 'cookies')) {
    const hint = 'below which the table of cookies is shown. Name one so';
    report(firstLine, `no section has the heading "## Cookies", ${hint}`);
  } else if (sections.length === 0) {
    report(firstLine, 'no section follows the facts. Begin one with "## " and its heading');
  }
  return { errors, ...(value && { page: { ...value, path: `/${name}`, sections } }) };
}

type ReportError = (line: number, message: string) => void;

function readSections(body: string, firstLine: number, report: ReportError): MarkdownContent['sections'] {
  const [before = '', ...rest] = prepareMarkdown(body).split(/^## /m);
  if (before.trim() !== '') {
    report(firstLine, 'this text comes before the first "## " and would not be shown. Put it below a heading');
  }
  let line = firstLine + before.split('\n').length - 1;
  const sections: MarkdownContent['sections'] = [];
  for (const [heading = '', ...text] of rest.map((section) => section.split('\n'))) {
    const id = makeSectionId(heading, sections.length + 1);
    if (sections.some((other) => other.id === id)) {
      report(line, `an earlier section has the heading "${heading.trim()}" already. Give one of them another`);
    }
    sections.push({ id, heading: heading.trim(), html: markdownToHtml(text.join('\n')) });
    line += text.length;
  }
  return sections;
}

/** Ids that every page has or may have: those of header, banner, switches and tooltips. */
const PAGE_IDS = /^(main|menu|ask-first(-.+)?|.+-(heading|purpose|tooltip))$/;

/** @param number of the section, from 1: used for a heading without a letter or digit */
function makeSectionId(heading: string, number: number): string {
  const id = slug(heading);
  return id === '' || PAGE_IDS.test(id) ? `section-${id || number}` : id;
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
