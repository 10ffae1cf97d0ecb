import { createPlaceholderFiller, listPlaceholders } from '#content/placeholders.ts';
import { refusePlaceholders, SCHEMAS } from '#content/read-content.ts';
import { readMarkdownPage } from '#content/read-markdown-page.ts';
import { type Fill, formatFieldName, type Mistake, readYamlText, splitFrontMatter } from '#content/yaml-text.ts';
import { EMPTY } from '#shared/content-fields.ts';
import { describeForm, type YamlName } from './describe-form.ts';
import { type FieldState, listDraftFiles, type Site } from './draft.ts';
import { toPageKey } from './site-parts.ts';
import { listPages, readSource, type SourceName, toFile } from './source-files.ts';

/** What is wrong, by the key of the field and the place in it, such as `faq.items.2.answer`. */
export type WordMistakes = Map<string, string>;

/** What an empty field says. */
export const NOTHING_WRITTEN = 'Nothing is written here.';

/**
 * Checks her words as the build would. @param fields all that she changed @returns also mistakes that were in the files
 * before
 */
export function checkWords(site: Site, fields: FieldState[]): WordMistakes {
  const drafts = new Map(listDraftFiles(site, fields).map(({ path, bytes }) => [path, bytes]));
  const read = (name: SourceName) => drafts.get(toFile(name))?.toString() ?? readSource(site.content, name);
  const mistakes: WordMistakes = new Map();
  const check = (file: YamlName, fill: Fill) => {
    const found = readYamlText<unknown>({ source: read(file), schema: SCHEMAS[file], fill });
    for (const mistake of found.mistakes) {
      mistakes.set([file, ...toPlace(mistake.field ?? '')].join('.'), explain(mistake));
    }
    return found;
  };
  const agency = check('agency', refusePlaceholders);
  check('brand', refusePlaceholders);
  const fill = createPlaceholderFiller(agency.raw ?? {}, { isWhole: agency.value !== undefined });
  for (const file of ['home', 'faq', 'consent', 'mail', 'pages'] as const) check(file, fill);
  for (const page of findPages(site, fields)) {
    const source = read(page);
    for (const mistake of readMarkdownPage(toFile(page), source, fill).mistakes) {
      mistakes.set(`${page}.${mistake.field ?? 'text'}`, explain(countFromText(mistake, source)));
    }
  }
  return mistakes;
}

/** The facts that texts may name, as her draft has them. */
export function readPlaceholders(site: Site, fields: FieldState[]): Record<string, string | undefined> {
  const draft = listDraftFiles(
    site,
    fields.filter(({ file }) => file === 'agency'),
  )[0];
  const source = draft?.bytes?.toString() ?? readSource(site.content, 'agency');
  const { raw } = readYamlText({ source, schema: SCHEMAS.agency, fill: (text) => text });
  return listPlaceholders(raw ?? {});
}

function findPages(site: Site, fields: FieldState[]): SourceName[] {
  const removed = new Set(fields.flatMap(({ key, value }) => (value === false ? key : [])));
  const changed = fields.filter(({ isChanged }) => isChanged).map(({ file }) => file);
  const pages = new Set([...listPages(site.content), ...changed.filter((file) => file.startsWith('pages/'))]);
  return [...pages].filter((page) => !removed.has(toPageKey(page)));
}

/** The lines of a page's text are counted from its own first. */
function countFromText(mistake: Mistake, source: string): Mistake {
  if (mistake.field !== undefined) return mistake;
  const parts = splitFrontMatter(source);
  const above = parts ? parts.firstLine - 1 + (/^\s*\n/.exec(parts.body)?.[0].split('\n').length ?? 1) - 1 : 0;
  const { message, line } = mistake;
  return { ...mistake, message: line > above ? `line ${line - above}: ${message}` : message };
}

/** `items > 3 > answer`, as `formatFieldName` counts, is the place `items.2.answer`. */
function toPlace(field: string): string[] {
  const parts = field === '' ? [] : field.split(formatFieldName(['', '']));
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) - 1) : part));
}

/** Sentences that name the file's own form are said in the form's. */
function explain({ message }: Mistake): string {
  if (message === EMPTY || message.endsWith('received undefined')) return NOTHING_WRITTEN;
  const inForm = message
    .replace('agency.yaml does not', 'your facts do not')
    .replace('Add it there', 'Add it under Facts')
    .replace(/Known are \{.*/, 'Those that are stand below, under Facts that fill themselves in');
  const sentence = nameColours(inForm.charAt(0).toUpperCase() + inForm.slice(1));
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** `"sun" (#f6b24a)` is the Accent. */
function nameColours(message: string): string {
  return message.replaceAll(/"([a-z-]+)" \((#[0-9a-f]+)\)/g, (found, token: string, colour: string) => {
    const groups = describeForm('brand').fields.flatMap((field) => (field.kind === 'group' ? field.fields : []));
    const label = groups.find(({ name }) => name === token)?.label;
    return label === undefined ? found : `${label} (${colour})`;
  });
}
