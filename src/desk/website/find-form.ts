import { writingPath } from '#commands/updates/update-files.ts';
import { readParts, type Site } from './draft.ts';

/**
 * Finds the form for a field of content/.
 * @param field such as `agency.founder.name`, `pages/terms` for a page's text or `updates/2026-10-pay`
 * @returns its URL, and the words by which the owner knows it; undefined if no form has it
 */
export function findForm(site: Site, field: string): { url: string; label: string } | undefined {
  const [, update] = /^updates\/([^.]+)/.exec(field) ?? [];
  if (update !== undefined) return { url: writingPath(update), label: 'Updates' };
  for (const { id, title, fields, file } of readParts(site)) {
    const place = field === file ? `${file}.text` : field;
    const found = fields.find(({ key }) => place === key || place.startsWith(`${key}.`));
    if (found) return { url: `/website/${id}#${found.key}`, label: `${title} · ${found.field.label}` };
  }
  return undefined;
}
