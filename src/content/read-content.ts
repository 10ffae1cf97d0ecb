import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { z } from 'zod';
import { agencySchema } from '#shared/agency-schema.ts';
import {
  type Content,
  consentSchema,
  faqSchema,
  homeSchema,
  mailsSchema,
  pagesSchema,
} from '#shared/content-schema.ts';
import { checkedBrandSchema } from './brand.ts';
import { POLICY_FILE, readMarkdownPage } from './read-markdown-page.ts';
import { decodeText } from './decode-text.ts';
import { createPlaceholderFiller } from './placeholders.ts';
import { findMisnamedFiles } from './misnamed-files.ts';
import { type Fill, formatMistake, type Mistake, readYamlText } from './yaml-text.ts';

/** One or more mistakes in content/, each as `file:line:column field: what is wrong and what to do`. */
export class ContentError extends Error {
  override name = 'ContentError';
}

type YamlName = Exclude<keyof Content, 'privacyPolicy' | 'markdownPages'>;

/** The schema of each YAML file of content/, by its name without the ending. */
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
  const fill = createPlaceholderFiller(agency?.raw ?? {}, { isWhole: agency?.value !== undefined });
  const content = {
    agency: agency?.value,
    brand: yaml('brand', refusePlaceholders)?.value,
    home: yaml('home', fill)?.value,
    faq: yaml('faq', fill)?.value,
    consent: yaml('consent', fill)?.value,
    mail: yaml('mail', fill)?.value,
    pages: yaml('pages', fill)?.value,
    privacyPolicy: markdown(POLICY_FILE, fill),
    markdownPages: listMarkdownFiles(folder, 'pages').map((file) => markdown(file, fill)),
  };
  const misnamed = findMisnamedFiles(folder, listContentFiles(folder));
  mistakes.push(...misnamed.map(({ file, message }) => `${nameFile(folder, file)}: ${message}`));
  if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
  // Files that could not be read are among the mistakes.
  return content as Content;
}

/** The files that pages are made of, by their names in the folder. */
export function listContentFiles(folder: string): string[] {
  return [...Object.keys(SCHEMAS).map((name) => `${name}.yaml`), POLICY_FILE, ...listMarkdownFiles(folder, 'pages')];
}

/** @returns names such as `updates/2026-12-salaries.md` */
export function listMarkdownFiles(folder: string, within: 'pages' | 'updates'): string[] {
  if (!statSync(join(folder, within), { throwIfNoEntry: false })?.isDirectory()) return [];
  // A Mac leaves `._terms.md` beside `terms.md` on disks of other systems.
  const names = readdirSync(join(folder, within)).filter((name) => /^[^.].*\.md$/.test(name));
  return names.toSorted().map((name) => `${within}/${name}`);
}

const refusePlaceholders: Fill = (text, report) => {
  const brace = /\{[^{}]*\}?|\}/.exec(text)?.[0];
  if (brace) report(brace, `${brace} is not filled in here, where the facts themselves are. Write the fact`);
  return text;
};

/** Absolute path of public/. */
export const PUBLIC_FOLDER = join(import.meta.dirname, '../../public');

function collect<R extends { mistakes: Mistake[] }>(folder: string, file: string, read: R, mistakes: string[]): R {
  const sorted = read.mistakes.toSorted((a, b) => a.line - b.line);
  mistakes.push(...sorted.map((mistake) => formatMistake(nameFile(folder, file), mistake)));
  return read;
}

function readText(folder: string, file: string, mistakes: string[]): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, file));
  } catch {
    const advice = 'Rename yours, or copy it again from the original project';
    mistakes.push(`${nameFile(folder, file)}: this file is missing. ${advice}`);
    return undefined;
  }
  const { text, mistakes: found } = decodeText(bytes);
  mistakes.push(...found.map((mistake) => formatMistake(nameFile(folder, file), mistake)));
  return text;
}

function nameFile(folder: string, file: string): string {
  return relative(process.cwd(), join(folder, file));
}
