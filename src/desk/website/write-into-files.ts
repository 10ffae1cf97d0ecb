import { existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { renameFile } from '#newsletter/database/rename-file.ts';
import { dirname, join } from 'node:path';
import { hashContent } from '#content/content-files.ts';
import { applyOverlay } from '#content/apply-overlay.ts';
import { findPlace, type Overlay, PICTURE_SOURCE } from '#content/overlay.ts';
import { writeMetadata } from '#newsletter/database/metadata.ts';
import { readPicture } from '#newsletter/updates/stored-pictures.ts';
import { DRAFT_LOCK, readDraft, writeDraft } from '#publishing/content-drafts.ts';
import { addVersion } from '#publishing/content-versions.ts';
import { readTextFiles } from '#publishing/live-version.ts';
import { type FieldState, settle, type Site } from './draft.ts';

/**
 * Writes an overlay into the files of content/, changing only the lines that differ, and then empties the overlay. If
 * the process is killed, the next run writes the rest.
 * @param content absolute path of content/
 * @param fields the changed fields of the draft
 * @throws if a file can't be written
 */
export async function writeIntoFiles(
  content: string,
  overlay: Overlay,
  { site, fields }: { site: Site; fields: FieldState[] },
): Promise<void> {
  const pictures = await loadPictures(site, overlay);
  const { drafts } = applyOverlay({ folder: content, readPicture: (name) => pictures.get(name) }, overlay);
  for (const [path, bytes] of drafts) await writeFile(join(content, path), bytes);
  const changed = 'saved to the files';
  const version = { overlay: {}, files: readTextFiles(content), git: hashContent(content), changed, made_by: site.by };
  await site.store.transaction(async (tx) => {
    await writeMetadata(tx, DRAFT_LOCK, '');
    await writeDraft(tx, site.by, settle(await readDraft(tx), fields));
    await addVersion(tx, site.number, version);
  });
}

async function loadPictures({ store }: Site, overlay: Overlay): Promise<Map<string, Buffer>> {
  const names = Object.entries(overlay).flatMap(([key, { value }]) =>
    findPlace(key).name === PICTURE_SOURCE && typeof value === 'string' ? [value] : [],
  );
  const found = await Promise.all(names.map(async (name) => [name, await readPicture(store.db, name)] as const));
  return new Map(found.flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, bytes]])));
}

/** Writes a file completely or not at all. A symbolic link is kept; its target is written. */
async function writeFile(path: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) return rmSync(path, { force: true });
  const place = existsSync(path) ? realpathSync(path) : path;
  mkdirSync(dirname(place), { recursive: true });
  const mode = statSync(place, { throwIfNoEntry: false })?.mode;
  writeFileSync(`${place}.unfinished`, bytes, mode === undefined ? {} : { mode });
  await renameFile(`${place}.unfinished`, place);
}
