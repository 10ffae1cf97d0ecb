import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import {
  agencySchema,
  type Content,
  consentSchema,
  faqSchema,
  homeSchema,
  mailsSchema,
  pagesSchema,
  type PrivacyPolicy,
  privacyPolicySchema,
} from '#shared/content-schema.ts';
import { checkedBrandSchema } from './brand.ts';
import { parseUpdate } from '#receiver/updates/parse-update.ts';
import { markdownToHtml } from '#server/content/markdown.ts';
import { placeholderFiller } from '#server/content/placeholders.ts';
import { type Fill, type Mistake, readYamlText } from '#server/content/yaml-text.ts';

/** One or more mistakes in content/, each as `file:line:column field: what is wrong and what to do`. */
export class ContentError extends Error {
  override name = 'ContentError';
}

/**
 * Reads and checks the content folder.
 * @param folder absolute path of content/
 * @returns every text with its placeholders filled in
 * @throws {ContentError} with every mistake of every file, a line each
 */
export function readContent(folder: string): Content {
  const mistakes: string[] = [];
  const read = (file: string) => readText(folder, file, mistakes);
  const yaml = <T>(file: string, schema: z.ZodType<T>, fill: Fill) => {
    const source = read(file);
    if (source === undefined) return undefined;
    return collect(folder, file, readYamlText({ source, schema, fill }), mistakes);
  };
  const agency = yaml('agency.yaml', agencySchema, refusePlaceholders);
  const fill = placeholderFiller(agency?.raw ?? {}, { isWhole: agency?.value !== undefined });
  const content = {
    agency: agency?.value,
    brand: yaml('brand.yaml', checkedBrandSchema, refusePlaceholders)?.value,
    home: yaml('home.yaml', homeSchema, fill)?.value,
    faq: yaml('faq.yaml', faqSchema, fill)?.value,
    consent: yaml('consent.yaml', consentSchema, fill)?.value,
    mail: yaml('mail.yaml', mailsSchema, fill)?.value,
    pages: yaml('pages.yaml', pagesSchema, fill)?.value,
    privacyPolicy: readPrivacyPolicy(folder, fill, mistakes),
  };
  checkUpdates(folder, fill, mistakes);
  if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
  // Whatever could not be read is among the mistakes.
  return content as Content;
}

/** The files that `readContent` reads, so that a watcher knows what to watch. */
export const CONTENT_FILES = [
  'agency.yaml',
  'brand.yaml',
  'home.yaml',
  'faq.yaml',
  'consent.yaml',
  'mail.yaml',
  'pages.yaml',
  'privacy-policy.md',
];

const refusePlaceholders: Fill = (text, report) => {
  const brace = /\{[^{}]*\}?|\}/.exec(text)?.[0];
  if (brace) report(brace, `${brace} is not filled in here, where the facts themselves stand. Write the fact`);
  return text;
};

function readPrivacyPolicy(folder: string, fill: Fill, mistakes: string[]): PrivacyPolicy | undefined {
  const file = 'privacy-policy.md';
  const source = readText(folder, file, mistakes);
  if (source === undefined) return undefined;
  const report = (line: number, message: string, column = 1) =>
    mistakes.push(`${named(folder, file)}:${line}:${column} ${message}`);
  const [, facts, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  if (facts === undefined || body === undefined) {
    const hint = 'Begin it with ---, then heading, title, description and lastUpdated, then --- again';
    report(
      1,
      source.trim() === '' ? `this file is empty. ${hint}` : `its facts must stand between two lines of ---. ${hint}`,
    );
    return undefined;
  }
  // The facts begin on the second line of the file.
  const { value } = collect(
    folder,
    file,
    readYamlText({ source: facts, schema: privacyPolicySchema, fill }),
    mistakes,
    1,
  );
  const sections = readSections(body, fill, (line, message, column) =>
    report(line + facts.split('\n').length + 2, message, column),
  );
  return value && { ...value, sections };
}

/** Updates are read when they are sent; a mistake in one is told with all the others. */
function checkUpdates(folder: string, fill: Fill, mistakes: string[]): void {
  if (!existsSync(join(folder, 'updates'))) return;
  for (const file of readdirSync(join(folder, 'updates'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()) {
    const path = join('updates', file);
    const source = readText(folder, path, mistakes);
    if (source !== undefined) collect(folder, path, parseUpdate(source, { fill, isPublicFile }), mistakes);
  }
}

function isPublicFile(path: string): boolean {
  return existsSync(join(import.meta.dirname, '../../public', path));
}

type Report = (line: number, message: string, column?: number) => void;

function readSections(body: string, fill: Fill, report: Report): PrivacyPolicy['sections'] {
  const [before = '', ...rest] = body.split(/^## /m);
  if (before.trim() !== '')
    report(1, 'this text stands before the first "## " and would not be shown. Put it below a heading');
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
  if (!sections.some(({ id }) => id === 'cookies')) {
    report(1, 'no section has the heading "## Cookies", below which the table of cookies is shown. Name one so');
  }
  return sections.map(({ id, heading, html }) => ({ id, heading, html }));
}

function collect<R extends { mistakes: Mistake[] }>(
  folder: string,
  file: string,
  read: R,
  mistakes: string[],
  linesBefore = 0,
): R {
  for (const { line, column, field, message } of read.mistakes.toSorted((a, b) => a.line - b.line)) {
    const where = `${named(folder, file)}:${line + linesBefore}:${column}`;
    mistakes.push(field ? `${where} ${field}: ${message}` : `${where} ${message}`);
  }
  return read;
}

/** As UTF-8, without a byte order mark, its lines parted as on any Unix: editors on Windows write both. */
function readText(folder: string, file: string, mistakes: string[]): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, file));
  } catch {
    mistakes.push(`${named(folder, file)}: this file is missing. Copy it again from the original project`);
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC').replaceAll(/\r\n?/g, '\n');
  } catch {
    const valid = bytes.toString('utf8').split('\uFFFD', 1)[0]!;
    mistakes.push(
      `${named(folder, file)}:${valid.split('\n').length}:1 this file is not saved as UTF-8, so its letters cannot be read. Save it again with the encoding "UTF-8" (in your editor: Save As or Save with Encoding)`,
    );
    return undefined;
  }
}

function named(folder: string, file: string): string {
  return relative(process.cwd(), join(folder, file));
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
