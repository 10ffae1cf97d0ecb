import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { micromark } from 'micromark';
import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import {
  type Agency,
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

/** One or more mistakes in content/, each as `file:line:column field: what was expected`. */
export class ContentError extends Error {
  override name = 'ContentError';
}

/**
 * Reads and checks the content folder.
 * @param folder absolute path of content/
 * @returns every text with its placeholders filled in
 * @throws {ContentError} naming file, line, column, field and what was expected
 */
export function readContent(folder: string): Content {
  const agency = readYaml(folder, 'agency.yaml', agencySchema, (text) => text);
  const fill = filler(placeholders(agency));
  return {
    agency,
    home: readYaml(folder, 'home.yaml', homeSchema, fill),
    faq: readYaml(folder, 'faq.yaml', faqSchema, fill),
    consent: readYaml(folder, 'consent.yaml', consentSchema, fill),
    mail: readYaml(folder, 'mail.yaml', mailsSchema, fill),
    pages: readYaml(folder, 'pages.yaml', pagesSchema, fill),
    privacyPolicy: readPrivacyPolicy(folder, fill),
  };
}

/** The files that `readContent` reads, so that a watcher knows what to watch. */
export const CONTENT_FILES = [
  'agency.yaml',
  'home.yaml',
  'faq.yaml',
  'consent.yaml',
  'mail.yaml',
  'pages.yaml',
  'privacy-policy.md',
];

type Fill = (text: string, where: string) => string;

function placeholders(agency: Agency): Record<string, string> {
  const [employer1, employer2] = agency.founder.formerEmployers;
  return {
    name: agency.name,
    legalName: agency.legalName,
    email: agency.email,
    founder: agency.founder.name,
    employer1: employer1?.name ?? '',
    employer2: employer2?.name ?? '',
    registrationNumber: agency.registration.number,
    registrationPlace: agency.registration.place,
    dataProtectionLead: agency.dataProtection.lead,
    dataProtectionEmail: agency.dataProtection.email,
    regulatorName: agency.dataProtection.regulator.name,
    regulatorUrl: agency.dataProtection.regulator.url,
  };
}

function filler(values: Record<string, string>): Fill {
  return (text, where) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) {
        const known = Object.keys(values).map((key) => `{${key}}`);
        throw new ContentError(`${where}: {${name}} is not known; expected one of ${known.join(', ')}`);
      }
      return value;
    });
}

function readYaml<T>(folder: string, file: string, schema: z.ZodType<T>, fill: Fill): T {
  return parseYaml({ path: join(folder, file), source: readText(folder, file), schema, fill });
}

function readPrivacyPolicy(folder: string, fill: Fill): PrivacyPolicy {
  const path = join(folder, 'privacy-policy.md');
  const source = readText(folder, 'privacy-policy.md');
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  if (match === null) {
    throw new ContentError(`${named(path)}:1:1 expected facts between two lines of --- before the text`);
  }
  const [, facts = '', body = ''] = match;
  // The facts begin on the second line of the file.
  const parsed = parseYaml({ path, source: facts, schema: privacyPolicySchema, fill, firstLine: 2 });
  const sections = body
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      // micromark escapes raw HTML and drops dangerous addresses unless it is told otherwise.
      return { id: slug(heading), heading: heading.trim(), html: micromark(fill(lines.join('\n'), named(path))) };
    });
  if (sections.length === 0) throw new ContentError(`${named(path)}: expected sections that begin with ##`);
  return { ...parsed, sections };
}

function parseYaml<T>(input: {
  path: string;
  source: string;
  schema: z.ZodType<T>;
  fill: Fill;
  firstLine?: number;
}): T {
  const { path, source, schema, fill, firstLine = 1 } = input;
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${named(path)}:${line + firstLine - 1}:${col}`;
  };
  const [syntax] = document.errors;
  if (syntax) throw new ContentError(`${at(syntax.pos[0])} ${syntax.message.split('\n')[0]}`);

  const offsetOf = (fields: PropertyKey[]): number => {
    // A missing field has no place of its own: its nearest parent's place is shown.
    for (let depth = fields.length; depth > 0; depth -= 1) {
      const node = document.getIn(fields.slice(0, depth), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  };
  const offsetOfKey = (fields: PropertyKey[], key: string): number => {
    const parent = fields.length === 0 ? document.contents : document.getIn(fields, true);
    const pair = isMap(parent) ? parent.items.find((item) => String(item.key) === key) : undefined;
    return pair && isNode(pair.key) && pair.key.range ? pair.key.range[0] : offsetOf(fields);
  };

  const filled = fillTexts(document.toJS(), [], (text, fields) =>
    fill(text, `${at(offsetOf(fields))} ${fields.join('.')}`),
  );
  const result = schema.safeParse(filled);
  if (result.success) return result.data;
  const mistakes = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${at(offsetOfKey(issue.path, key))} ${[...issue.path, key].join('.')}: this field is not known`,
      );
    }
    return [`${at(offsetOf(issue.path))} ${issue.path.join('.')}: ${issue.message}`];
  });
  throw new ContentError(mistakes.join('\n'));
}

function fillTexts(value: unknown, path: PropertyKey[], fill: (text: string, path: PropertyKey[]) => string): unknown {
  if (typeof value === 'string') return fill(value, path);
  if (Array.isArray(value)) return value.map((item, index) => fillTexts(item, [...path, index], fill));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTexts(item, [...path, key], fill)]));
  }
  return value;
}

function readText(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    throw new ContentError(`${named(join(folder, file))}: this file is missing`);
  }
}

function named(path: string): string {
  return relative(process.cwd(), path);
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
