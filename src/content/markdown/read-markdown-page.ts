import { basename } from 'node:path';
import { type MarkdownContent, markdownPageSchema } from '../schemas/content-schema.ts';
import { markdownToHtml, prepareMarkdown } from './markdown.ts';
import { fillLines } from '../text/placeholders.ts';
import { type Fill, type SourceError, readFrontMatter } from '../text/yaml-text.ts';
import { findSlugError } from './page-slug.ts';

/** The page with the table of cookies. */
export const POLICY_FILE = 'privacy-policy.md';

/**
 * Reads a page: front matter between two lines of `---`, then sections that begin with `## `.
 * @param file its name in content/, such as `pages/terms.md`, which is shown at /terms
 * @returns every error; the page only if its front matter could be read
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
    const wrong = source.trim() === '' ? 'this file is empty' : 'its front matter must be between two lines of ---';
    report(1, `${wrong}. Begin the file with ---, then heading, title, description and lastUpdated, then --- again`);
    return { errors };
  }
  const { value, body, firstLine } = read;
  errors.push(...read.errors);
  const filled = fillLines(body, fill, { firstLine, errors });
  const sections = readSections(filled, firstLine, report);
  if (file === POLICY_FILE && !sections.some(({ id }) => id === 'cookies')) {
    const hint = 'below which the table of cookies is shown. Give one section this heading';
    report(firstLine, `no section has the heading "## Cookies", ${hint}`);
  } else if (sections.length === 0) {
    report(firstLine, 'this page has no section. Begin one with "## " and its heading');
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
      report(line, `an earlier section already has the heading "${heading.trim()}". Give one of them another heading`);
    }
    sections.push({ id, heading: heading.trim(), html: markdownToHtml(text.join('\n')) });
    line += text.length;
  }
  return sections;
}

/** Ids that any page may already have: those of the header, the banner, its switches and tooltips. */
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
