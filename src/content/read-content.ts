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
} from '#shared/content-schema.ts';
import { checkedBrandSchema } from './brand.ts';
import { POLICY_FILE, readMarkdownPage } from './read-markdown-page.ts';
import { parseUpdate } from './parse-update.ts';
import { placeholderFiller } from './placeholders.ts';
import { type Fill, lineOf, type Mistake, readYamlText } from './yaml-text.ts';

/** One or more mistakes in content/, each as `file:line:column field: what is wrong and what to do`. */
export class ContentError extends Error {
  override name = 'ContentError';
}

type YamlName = Exclude<keyof Content, 'privacyPolicy' | 'markdownPages'>;

/** What the YAML files of content/ must hold, by their names without the ending. */
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
 * @returns every text with its placeholders filled in
 * @throws {ContentError} with every mistake of every file, a line each
 */
export function readContent(folder: string): Content {
  const mistakes: string[] = [];
  const read = (file: string) => readText(folder, file, mistakes);
  const yaml = <Name extends YamlName>(name: Name, fill: Fill) => {
    const file = `${name}.yaml`;
    const source = read(file);
    if (source === undefined) return undefined;
    return collect(folder, file, readYamlText({ source, schema: SCHEMAS[name], fill }), mistakes);
  };
  const markdown = (file: string, fill: Fill) => {
    const source = read(file);
    if (source === undefined) return undefined;
    return collect(folder, file, readMarkdownPage(file, source, fill), mistakes).page;
  };
  const agency = yaml('agency', refusePlaceholders);
  const fill = placeholderFiller(agency?.raw ?? {}, { isWhole: agency?.value !== undefined });
  const content = {
    agency: agency?.value,
    brand: yaml('brand', refusePlaceholders)?.value,
    home: yaml('home', fill)?.value,
    faq: yaml('faq', fill)?.value,
    consent: yaml('consent', fill)?.value,
    mail: yaml('mail', fill)?.value,
    pages: yaml('pages', fill)?.value,
    privacyPolicy: markdown(POLICY_FILE, fill),
    markdownPages: pageFiles(folder).map((file) => markdown(file, fill)),
  };
  checkUpdates(folder, fill, mistakes);
  if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
  // Whatever could not be read is among the mistakes.
  return content as Content;
}

/** The files that pages are made of, by their names in the folder. */
export function contentFiles(folder: string): string[] {
  return [...Object.keys(SCHEMAS).map((name) => `${name}.yaml`), POLICY_FILE, ...pageFiles(folder)];
}

function pageFiles(folder: string): string[] {
  return markdownFiles(folder, 'pages');
}

/** @returns names such as `updates/2026-12-salaries.md` */
function markdownFiles(folder: string, within: string): string[] {
  if (!existsSync(join(folder, within))) return [];
  const names = readdirSync(join(folder, within)).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => `${within}/${name}`);
}

const refusePlaceholders: Fill = (text, report) => {
  const brace = /\{[^{}]*\}?|\}/.exec(text)?.[0];
  if (brace) report(brace, `${brace} is not filled in here, where the facts themselves stand. Write the fact`);
  return text;
};

/** Updates are read when they are sent; a mistake in one is told with all the others. */
function checkUpdates(folder: string, fill: Fill, mistakes: string[]): void {
  for (const file of markdownFiles(folder, 'updates')) {
    const source = readText(folder, file, mistakes);
    if (source !== undefined) collect(folder, file, parseUpdate(source, { fill, isPublicFile }), mistakes);
  }
}

function isPublicFile(path: string): boolean {
  return existsSync(join(PUBLIC_FOLDER, path));
}

/** Absolute path of public/. */
export const PUBLIC_FOLDER = join(import.meta.dirname, '../../public');

function collect<R extends { mistakes: Mistake[] }>(folder: string, file: string, read: R, mistakes: string[]): R {
  const sorted = read.mistakes.toSorted((a, b) => a.line - b.line);
  mistakes.push(...sorted.map((mistake) => lineOf(named(folder, file), mistake)));
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
    const advice = 'Save it again with the encoding "UTF-8" (in your editor: Save As or Save with Encoding)';
    const problem = `this file is not saved as UTF-8, so its letters cannot be read. ${advice}`;
    mistakes.push(`${named(folder, file)}:${valid.split('\n').length}:1 ${problem}`);
    return undefined;
  }
}

function named(folder: string, file: string): string {
  return relative(process.cwd(), join(folder, file));
}
