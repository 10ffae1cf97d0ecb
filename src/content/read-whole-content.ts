import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '#shared/content-schema.ts';
import { chooseFaces } from './faces.ts';
import { decodeText, findPlace } from './decode-text.ts';
import { findBrokenLinks } from './check-links.ts';
import { findPublicFileMistakes } from './check-public-files.ts';
import { findPictureMistakes } from './check-pictures.ts';
import { findLetters } from './letters.ts';
import { ContentError, listContentFiles, nameFile, PUBLIC_FOLDER, readContent } from './read-content.ts';
import { formatMistake } from './yaml-text.ts';

/**
 * Reads and checks the content folder with its pictures, and with the letters that its fonts must have.
 * @param folder absolute path of content/
 * @throws {ContentError} with every mistake of every file, a line each
 */
export async function readWholeContent(folder: string): Promise<Content> {
  const mistakes = await findPictureMistakes(folder);
  try {
    const content = readContent(folder);
    mistakes.unshift(...findLetterMistakes(folder, content));
    const pages = [content.privacyPolicy, ...content.markdownPages].map(({ path }) => path);
    mistakes.push(...findPublicFileMistakes(PUBLIC_FOLDER, pages));
    mistakes.push(...findBrokenLinks(folder, content));
    if (mistakes.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    mistakes.unshift(error.message);
  }
  throw new ContentError(mistakes.join('\n'));
}

/** Pages and share images would silently leave out letters that no font has. */
function findLetterMistakes(folder: string, content: Content): string[] {
  const unknown = [...chooseFaces(content.brand.fonts, findLetters(content)).unknown];
  if (unknown.length === 0) return [];
  const places = listContentFiles(folder).flatMap((file) => {
    const { text = '' } = decodeText(readFileSync(join(folder, file)));
    const offset = text.search(new RegExp(`[${unknown.join('')}]`, 'u'));
    return offset === -1 ? [] : [{ file, ...findPlace(text, offset) }];
  });
  const names = unknown.map((letter) => `${letter} (U+${letter.codePointAt(0)!.toString(16).toUpperCase()})`);
  const advice = 'Write it in Latin, Greek or Cyrillic letters, or leave it out';
  const message = `no font of the site has ${names.join(', ')}. ${advice}`;
  if (places.length === 0) return [`${nameFile(folder)}: ${message}. ${AS_CODE}`];
  return places.map(({ file, ...place }) => formatMistake(nameFile(folder, file), { ...place, message }));
}

const AS_CODE = 'It is written there as a code, such as \\u682A or &rarr;';
