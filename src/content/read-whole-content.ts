import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Content } from '#shared/content-schema.ts';
import { chooseFaces } from './faces.ts';
import { decodeText } from './decode-text.ts';
import { findBrokenLinks } from './check-links.ts';
import { findPublicFileMistakes } from './check-public-files.ts';
import { findPictureMistakes } from './check-pictures.ts';
import { findLetters } from './letters.ts';
import { ContentError, listContentFiles, PUBLIC_FOLDER, readContent } from './read-content.ts';

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

/** Letters that no font has would be left out of pages and share images without a word. */
function findLetterMistakes(folder: string, content: Content): string[] {
  const unknown = new Set(chooseFaces(content.brand.fonts, findLetters(content)).unknown);
  const hidden = new Set(unknown);
  const mistakes = listContentFiles(folder).flatMap((file) => {
    const { text = '' } = decodeText(readFileSync(join(folder, file)));
    return text.split('\n').flatMap((line, index) => {
      const letters = [...new Set(line)].filter((letter) => unknown.has(letter));
      if (letters.length === 0) return [];
      for (const letter of letters) hidden.delete(letter);
      const where = `${relative(process.cwd(), join(folder, file))}:${index + 1}:${line.indexOf(letters[0]!) + 1}`;
      return `${where} ${describeUnknownLetters(letters)}`;
    });
  });
  if (hidden.size === 0) return mistakes;
  const asCode = `It is written there as a code, such as \\u682A or &rarr;`;
  return [...mistakes, `${relative(process.cwd(), folder)}: ${describeUnknownLetters([...hidden])}. ${asCode}`];
}

function describeUnknownLetters(letters: string[]): string {
  const names = letters.map((letter) => `${letter} (U+${letter.codePointAt(0)!.toString(16).toUpperCase()})`);
  const advice = 'Write it in Latin, Greek or Cyrillic letters, or leave it out';
  return `no font of the site has ${names.join(', ')}. ${advice}`;
}
