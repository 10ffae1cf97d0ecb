import { basename } from 'node:path';
import { type MarkdownContent, markdownPageSchema } from '#shared/content-schema.ts';
import { markdownToHtml } from './markdown.ts';
import { type Fill, type Mistake, readYamlText } from './yaml-text.ts';

/** The page that has the table of cookies. */
export const POLICY_FILE = 'privacy-policy.md';

/**
 * Reads a page: facts between two lines of `---`, then sections that begin with `## `.
 * @param file its name in content/, such as `pages/terms.md`, which is shown at /terms
 * @returns every mistake at once; the page only where its facts could be read
 */
export function readMarkdownPage(
  file: string,
  source: string,
  fill: Fill,
): { page?: MarkdownContent; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  const report: Report = (line, message, column = 1) => mistakes.push({ line, column, message });
  const name = basename(file, '.md');
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) report(1, `its name becomes its address. ${NAMING}`);
  if (file !== POLICY_FILE && TAKEN.has(name)) {
    report(1, `the address /${name} is taken. Give the file another name`);
  }
  const [, facts, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  if (facts === undefined || body === undefined) {
    const wrong = source.trim() === '' ? 'this file is empty' : 'its facts must be between two lines of ---';
    report(1, `${wrong}. Begin it with ---, then heading, title, description and lastUpdated, then --- again`);
    return { mistakes };
  }
  // Below an empty line, as in the file they are below the first ---.
  const { value, mistakes: wrongFacts } = readYamlText({ source: `\n${facts}`, schema: markdownPageSchema, fill });
  mistakes.push(...wrongFacts);
  const linesBefore = facts.split('\n').length + 2;
  const sections = readSections(body, fill, (line, message, column) => report(line + linesBefore, message, column));
  if (file === POLICY_FILE && !sections.some(({ id }) => id === 'cookies')) {
    const hint = 'below which the table of cookies is shown. Name one so';
    report(linesBefore + 1, `no section has the heading "## Cookies", ${hint}`);
  } else if (sections.length === 0) {
    report(linesBefore + 1, 'no section follows the facts. Begin one with "## " and its heading');
  }
  return { mistakes, ...(value && { page: { ...value, path: `/${name}`, sections } }) };
}

const NAMING = 'Use small letters, digits and hyphens, such as terms-of-business.md';

/** Addresses that something else answers. */
const TAKEN = new Set(['privacy-policy', 'index', '404', 'healthz', 'api', 'newsletter', 'assets']);

type Report = (line: number, message: string, column?: number) => void;

function readSections(body: string, fill: Fill, report: Report): MarkdownContent['sections'] {
  const [before = '', ...rest] = body.split(/^## /m);
  if (before.trim() !== '')
    report(1, 'this text comes before the first "## " and would not be shown. Put it below a heading');
  let line = before.split('\n').length;
  const sections = rest.map((section) => {
    const start = line;
    line += section.split('\n').length - 1;
    const filled = fill(section, (found, message) => {
      const above = section.slice(0, section.indexOf(found)).split('\n');
      report(start + above.length - 1, message, above.at(-1)!.length + (above.length === 1 ? 4 : 1));
    });
    const [heading = '', ...lines] = filled.split('\n');
    return { id: slug(heading), heading: heading.trim(), html: markdownToHtml(lines.join('\n')), line: start };
  });
  for (const { id, heading, line: at } of sections) {
    if (sections.find((other) => other.id === id)!.line !== at) {
      report(at, `an earlier section has the heading "${heading}" already. Give one of them another`);
    }
  }
  return sections.map(({ id, heading, html }) => ({ id, heading, html }));
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
