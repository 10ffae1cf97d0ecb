import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeText } from '#content/text/decode-text.ts';
import { cleanPicture, measurePicture } from '#content/pictures/shrink-picture.ts';
import { namePicture } from '#content/source-files.ts';
import type { Store } from '../database/open-store.ts';
import { readUpdateText, type UpdateSources } from './read-update-file.ts';
import { readStoredEmail, writeEmail } from './stored-emails.ts';
import { findPictureNames, PICTURES_PATH, storePicture } from './stored-pictures.ts';
import { hyphenate, toSource, toWriting } from './update-files.ts';

/**
 * Stores a file as an email on the desk, with its pictures from public/.
 * @param sources.project absolute path of the project; pictures that `site` has are already served
 * @param replace whether another text with this name may be replaced
 * @returns the email's name
 * @throws with a line for each error, or if the desk has another text with its name
 */
export async function importEmail(
  store: Store,
  file: string,
  sources: Omit<UpdateSources, 'updates'> & { project: string | undefined },
  replace: boolean,
): Promise<string> {
  const name = basename(file, '.md');
  const { text = '', errors } = decodeText(readFileSync(file));
  const changed = await importPictures(store, text, sources);
  // Errors are reported with the line numbers of the file.
  await readUpdateText({ name, text: changed, errors }, sources);
  const writing = toWriting(changed);
  const stored = await readStoredEmail(store.db, name);
  if (stored !== undefined && stored.text !== toSource(writing) && !replace) {
    throw new Error(
      `The desk has another text called ${name}. Send that one by its name, or add --replace to replace it`,
    );
  }
  await writeEmail(store, { name, writing, by: '', seen: undefined });
  return name;
}

/** Stores the pictures that the site doesn't have yet, under names based on the files' names. */
async function importPictures(
  { db }: Store,
  text: string,
  { site, project }: { site: string; project: string | undefined },
): Promise<string> {
  let changed = text;
  for (const name of findPictureNames(text)) {
    const path = project === undefined ? undefined : join(project, 'public', PICTURES_PATH, name);
    if (path === undefined || !existsSync(path) || existsSync(join(site, PICTURES_PATH, name))) continue;
    const { bytes, ending } = await cleanPicture(readFileSync(path));
    const stored = `${hyphenate(basename(name, ending))}-${namePicture(bytes, ending)}`;
    await storePicture(db, stored, { bytes, ...(await measurePicture(bytes)) });
    changed = changed.replaceAll(PICTURES_PATH + name, PICTURES_PATH + stored);
  }
  return changed;
}
