import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import { agencySchema } from './schemas/agency-schema.ts';
import { type Content, consentSchema, faqSchema, homeSchema, mailsSchema } from './schemas/content-schema.ts';
import { pagesSchema } from './schemas/pages-schema.ts';
import { checkedBrandSchema } from './brand/check-brand.ts';
import { POLICY_FILE, readMarkdownPage } from './markdown/read-markdown-page.ts';
import { decodeText } from './text/decode-text.ts';
import { createPlaceholderFiller, type Facts } from './text/placeholders.ts';
import { type Fill, formatSourceError, type SourceError, readYamlText } from './text/yaml-text.ts';

/** One or more errors in content/, each as `file:line:column field: what is wrong and what to do`. */
export class ContentError extends Error {
  override name = 'ContentError';
}

type YamlName = Exclude<keyof Content, 'privacyPolicy' | 'markdownPages'>;

/** The schema of each YAML file of content/, by its name without the extension. */
export const SCHEMAS: { [Name in YamlName]: z.ZodType<Content[Name]> } = {
  agency: agencySchema,
  brand: checkedBrandSchema,
  home: homeSchema,
  faq: faqSchema,
  consent: consentSchema,
  mail: mailsSchema,
  pages: pagesSchema,
};

/**
 * Reads and checks the content folder.
 * @param folder absolute path of content/
 * @returns every string with its placeholders filled in
 * @throws {ContentError} with every error of every file, a line each
 */
export function readContent(folder: string): Content {
  const { content, errors } = checkContentFiles(folder);
  if (content) return content;
  throw new ContentError(formatFileErrors(folder, errors).join('\n'));
}

/** @property file its path in content/ */
export type FileError = SourceError & { file: string };

/** @returns a line for each, beginning with file, line and column */
export function formatFileErrors(folder: string, errors: FileError[]): string[] {
  return errors.map(({ file, ...error }) => formatSourceError(nameFile(folder, file), error));
}

/**
 * @param drafts replace files of the folder
 * @returns the content only if there is no error; `facts` of agency.yaml as far as they could be read
 */
export function checkContentFiles(
  folder: string,
  drafts: Drafts = new Map(),
): { content?: Content; facts: Facts; errors: FileError[] } {
  const errors: FileError[] = [];
  const yaml = <Name extends YamlName>(name: Name, fill: Fill) =>
    readFile({ folder, drafts }, `${name}.yaml`, errors, (source) =>
      readYamlText({ source, schema: SCHEMAS[name], fill }),
    );
  const markdown = (file: string, fill: Fill) =>
    readFile({ folder, drafts }, file, errors, (source) => readMarkdownPage(file, source, fill))?.page;
  const agency = yaml('agency', rejectPlaceholders);
  const facts = agency?.raw ?? {};
  const fill = createPlaceholderFiller(facts, { isWhole: agency?.value !== undefined });
  const content = {
    agency: agency?.value,
    brand: yaml('brand', rejectPlaceholders)?.value,
    home: yaml('home', fill)?.value,
    faq: yaml('faq', fill)?.value,
    consent: yaml('consent', fill)?.value,
    mail: yaml('mail', fill)?.value,
    pages: yaml('pages', fill)?.value,
    privacyPolicy: markdown(POLICY_FILE, fill),
    markdownPages: listPageFiles(folder, drafts).map((file) => markdown(file, fill)),
  };
  // Unreadable files are among the errors.
  return { facts, errors, ...(errors.length === 0 && { content: content as Content }) };
}

/** Contents of files, by their paths in content/; undefined for a removed file. */
export type Drafts = ReadonlyMap<string, Buffer | undefined>;

/** Lists the files of Markdown pages, including those in drafts. */
export function listPageFiles(folder: string, drafts: Drafts = new Map()): string[] {
  const files = [...listMarkdownFiles(folder, 'pages'), ...drafts.keys()];
  const isThere = (file: string) => file.startsWith('pages/') && !(drafts.has(file) && drafts.get(file) === undefined);
  return [...new Set(files)].filter(isThere).toSorted();
}

/** Lists the text files that the site is made from, by their paths in the folder. */
export function listContentFiles(folder: string): string[] {
  return [...Object.keys(SCHEMAS).map((name) => `${name}.yaml`), POLICY_FILE, ...listMarkdownFiles(folder, 'pages')];
}

/** @returns names such as `updates/2026-12-salaries.md` */
export function listMarkdownFiles(folder: string, within: 'pages' | 'updates'): string[] {
  if (!statSync(join(folder, within), { throwIfNoEntry: false })?.isDirectory()) return [];
  // Macs create `._terms.md` next to `terms.md` on foreign disks.
  const names = readdirSync(join(folder, within)).filter((name) => /^[^.].*\.md$/.test(name));
  return names.toSorted().map((name) => `${within}/${name}`);
}

export const rejectPlaceholders: Fill = (text, report) => {
  const brace = /\{[^{}]*\}?|\}/.exec(text)?.[0];
  if (brace) report(brace, `${brace} is not filled in here, but only in the other files. Write the fact itself`);
  return text;
};

/** @param errors receives the errors of the file */
function readFile<Result extends { errors: SourceError[] }>(
  { folder, drafts }: { folder: string; drafts: Drafts },
  file: string,
  errors: FileError[],
  parse: (source: string) => Result,
): Result | undefined {
  let bytes: Buffer;
  try {
    bytes = drafts.get(file) ?? readFileSync(join(folder, file));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isMissing ? 'this file is missing' : 'this file can’t be read, or is a folder';
    errors.push({ file, line: 1, column: 1, message });
    return undefined;
  }
  const { text, errors: unreadable } = decodeText(bytes);
  const parsed = text === undefined || unreadable.length > 0 ? undefined : parse(text);
  const found = [...unreadable, ...(parsed?.errors ?? [])].toSorted((a, b) => a.line - b.line);
  errors.push(...found.map((error) => ({ file, ...error })));
  return parsed;
}

/** @returns the path of a file of content/, or of the folder itself, relative to the working directory */
export function nameFile(folder: string, file = ''): string {
  return relative(process.cwd(), join(folder, file));
}
