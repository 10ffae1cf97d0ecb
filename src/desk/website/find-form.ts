import type { Finding } from '#launch-check/finding.ts';
import { writingPath } from '#commands/updates/update-files.ts';
import { readParts, readFields, type Site } from './draft.ts';

/** @returns the address of the form in which a finding about content/ is put right; undefined if there is none */
export function findForm(site: Site, { where, problem }: Pick<Finding, 'where' | 'problem'>): string | undefined {
  const [, folder = '', name = '', field = ''] = /([\w-]+\/)?([\w-]+)\.\w+\S*(?: (\w+))?$/.exec(where) ?? [];
  if (folder === 'updates/') return writingPath(name);
  if (name === 'portrait' || name === 'mark') return '/website/pictures';
  const file = folder === 'pages/' ? `${folder}${name}` : name;
  // As the check quotes them.
  const word = /“(.+?)”/.exec(problem)?.[1];
  const fields = readFields(site).filter((each) => each.file === file);
  const found =
    fields.find(({ live }) => word !== undefined && JSON.stringify(live).includes(word)) ??
    fields.find(({ path }) => path.at(-1) === field);
  if (found === undefined) return undefined;
  const part = readParts(site).find((each) => each.fields.some(({ key }) => key === found.key));
  return part && `/website/${part.id}#${found.key}`;
}
