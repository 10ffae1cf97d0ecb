import { createFileCheck } from '#content/list-files.ts';
import { findBrokenLinks, findRedirectErrors } from '#content/markdown/check-links.ts';
import { checkContentFiles, type Drafts } from '#content/parse-content.ts';
import { toKey } from '#content/overlay.ts';
import { MISSING } from '#content/text/yaml-text.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { EMPTY } from '#content/schemas/content-fields.ts';
import { listPlaceholders } from '#content/text/placeholders.ts';
import { describeForm } from './describe-form.ts';
import { type FieldState, type LinkTargets, listDraftFiles, type Site } from './draft.ts';

/** Errors, by the key of the field and the place in it, such as `faq.items.2.answer`. */
export type FieldErrors = Map<string, string>;

/**
 * @property content undefined if there is an error @property facts the values of placeholders, by name
 */
export type CheckResult = { content?: Content; errors: FieldErrors; facts: Record<string, string | undefined> };

/** The message for an empty field. */
export const FIELD_IS_EMPTY = 'This field is empty.';

/**
 * Checks the draft, and the text that is already in the files, as the build would.
 * @param fields all changed fields
 */
export function checkFields(site: Site, fields: FieldState[]): CheckResult {
  const drafts = listDraftFiles(site, fields);
  const { content, facts, errors } = checkContentFiles(site.content, drafts);
  if (content && site.links) errors.push(...checkLinks(site.content, site.links(), content, drafts));
  const byField = errors.map((error) => [toKey(error), explain(error.message)] as const);
  const isValid = content !== undefined && errors.length === 0;
  return { ...(isValid && { content }), errors: new Map(byField), facts: listPlaceholders(facts) };
}

function checkLinks(folder: string, { pages, publicFolder }: LinkTargets, content: Content, drafts: Drafts) {
  const isRemoved = (path: string) => drafts.has(`pages${path}.md`) && drafts.get(`pages${path}.md`) === undefined;
  const shown = pages.filter((path) => !isRemoved(path));
  const all = [...new Set([...shown, ...content.markdownPages.map(({ path }) => path)])];
  return [
    ...findBrokenLinks({ folder, publicFolder }, content, shown, drafts),
    ...findRedirectErrors(content, all, createFileCheck(publicFolder)),
  ];
}

/** Rewords messages that mention the file so that they mention the form instead. */
function explain(message: string): string {
  if (message === EMPTY || message === MISSING) return FIELD_IS_EMPTY;
  const inForm = message
    .replace('agency.yaml does not', 'your facts do not')
    .replace('Add it there', 'Add it under Facts')
    .replace(/The known ones are \{.*/, 'The known ones are listed below, under Placeholders');
  const sentence = nameColours(inForm.charAt(0).toUpperCase() + inForm.slice(1));
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Replaces `"sun" (#f6b24a)` with the form's label: `Accent (#f6b24a)`. */
function nameColours(message: string): string {
  return message.replaceAll(/"([a-z-]+)" \((#[0-9a-f]+)\)/g, (found, token: string, colour: string) => {
    const groups = describeForm('brand').fields.flatMap((field) => (field.kind === 'group' ? field.fields : []));
    const label = groups.find(({ name }) => name === token)?.label;
    return label === undefined ? found : `${label} (${colour})`;
  });
}
