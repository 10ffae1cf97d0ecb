import { isDeepStrictEqual } from 'node:util';
import type { Value } from '#content/edit-yaml.ts';
import { getIn, PICTURE_SOURCE } from '#content/overlay.ts';
import { readPictures, readValues, toFile } from '#content/source-files.ts';
import { changeDraft, type DraftField } from '#publishing/content-drafts.ts';
import { readVersion, type Version } from '#publishing/content-versions.ts';
import { toShown } from './describe-form.ts';
import { type FieldState, readFields, type Site } from './draft.ts';
import { listParts, toPageKey } from './site-parts.ts';

/**
 * Fills the draft with an earlier version's text wherever that differs from what visitors see. Other changes in the
 * draft are kept.
 * @throws if the version is no longer stored
 */
export async function goBack(site: Site, number: number): Promise<void> {
  const version = await readVersion(site.store.db, number);
  if (version === undefined) throw new Error('This version is no longer stored. Choose another one.');
  const names = Object.keys(version.files).flatMap((path) => /^(pages\/.+|privacy-policy)\.md$/.exec(path)?.[1] ?? []);
  const pages = [...new Set([...names, ...readLivePages(site)])];
  const fields = readFields(site, listParts(pages));
  await changeDraft(site.store, site.by, (draft) => {
    const changes: Record<string, DraftField | undefined> = {};
    for (const field of fields) {
      const { key, live } = field;
      const value = readThen(site, version, field);
      const before = draft[key]?.value;
      if (isDeepStrictEqual(value, live)) {
        if (before !== undefined) changes[key] = undefined;
      } else changes[key] = { value, base: live, ...(before !== undefined && { earlier: before }) };
    }
    return changes;
  });
}

function readLivePages(site: Site): string[] {
  return readFields(site).flatMap(({ file, path, live }) => (file === toPageKey('') && live === true ? path : []));
}

/** The value of a field in a version. */
function readThen({ git }: Site, { files, overlay }: Version, { key, file, path, field }: FieldState): Value {
  if (file === PICTURE_SOURCE) return overlay[key]?.value ?? readPictures(git)[field.name as 'portrait' | 'mark'];
  if (file === toPageKey('')) return files[toFile(path[0]!)] !== undefined;
  return toShown(field, getIn(readValues(file, files[toFile(file)] ?? ''), path));
}
