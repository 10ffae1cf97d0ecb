import { createPlaceholderFiller } from '#content/placeholders.ts';
import { refusePlaceholders, SCHEMAS } from '#content/read-content.ts';
import { type Fill, formatFieldName, readYamlText } from '#content/yaml-text.ts';
import type { FileName } from './describe-form.ts';
import { applyDraft, type FieldState, readSources, type Site } from './draft.ts';

/** What is wrong, by the key of the field and the place in it, such as `faq.items.2.answer`. */
export type WordMistakes = Map<string, string>;

/**
 * Checks her words as the build would. @param fields all that she changed @returns also mistakes that were in the files
 * before
 */
export function checkWords(site: Site, fields: FieldState[]): WordMistakes {
  const sources = { ...readSources(site), ...applyDraft(site, fields) };
  const mistakes: WordMistakes = new Map();
  const read = (file: FileName, fill: Fill) => {
    const found = readYamlText<unknown>({ source: sources[file], schema: SCHEMAS[file], fill });
    for (const { field = '', message } of found.mistakes) {
      mistakes.set([file, ...toPlace(field)].join('.'), explain(message));
    }
    return found;
  };
  const agency = read('agency', refusePlaceholders);
  read('brand', refusePlaceholders);
  const fill = createPlaceholderFiller(agency.raw ?? {}, { isWhole: agency.value !== undefined });
  for (const file of ['home', 'faq', 'consent', 'mail', 'pages'] as const) read(file, fill);
  return mistakes;
}

/** `items > 3 > answer`, as `formatFieldName` counts, is the place `items.2.answer`. */
function toPlace(field: string): string[] {
  const parts = field === '' ? [] : field.split(formatFieldName(['', '']));
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) - 1) : part));
}

/** A message of a file as a sentence. */
function explain(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}
