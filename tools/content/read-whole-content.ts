import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import type { Content } from '#shared/content-schema.ts';
import { chooseFaces } from '../build/faces.ts';
import { MARK_FILES, MARK_LEAST, toMark } from '../build/mark.ts';
import { PORTRAIT_FILES } from '../build/pictures-plugin.ts';
import { lettersOf } from './letters.ts';
import { ContentError, contentFiles, readContent } from './read-content.ts';

/**
 * Reads and checks the content folder with its pictures, and with the letters that its fonts must have.
 * @param folder absolute path of content/
 * @throws {ContentError} with every mistake of every file, a line each
 */
export async function readWholeContent(folder: string): Promise<Content> {
  const mistakes = await pictureMistakes(folder);
  try {
    const content = readContent(folder);
    mistakes.unshift(...letterMistakes(folder, content));
    if (mistakes.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    mistakes.unshift(error.message);
  }
  throw new ContentError(mistakes.join('\n'));
}

async function pictureMistakes(folder: string): Promise<string[]> {
  const found = [...PORTRAIT_FILES, ...MARK_FILES].filter((file) => existsSync(join(folder, file)));
  const mistakes = found.map(async (file) => {
    const path = join(folder, file);
    const message = await (file.endsWith('.svg') ? drawingMistake(path) : photographMistake(path));
    return message === undefined ? [] : [`${relative(process.cwd(), path)}: ${message}`];
  });
  return (await Promise.all(mistakes)).flat();
}

async function drawingMistake(path: string): Promise<string | undefined> {
  try {
    await toMark(path);
  } catch {
    return 'this file is no drawing that can be read. Save it again as "Plain SVG", or use a PNG of at least 512 pixels';
  }
  if (!/<text[\s>]/.test(readFileSync(path, 'utf8'))) return undefined;
  return 'its letters are text, which looks different on every machine. Turn them into paths ("Object to Path", "Outline Text") and save it again';
}

async function photographMistake(path: string): Promise<string | undefined> {
  const isMark = path.endsWith('mark.png');
  try {
    const image = sharp(path);
    const { width, height } = await image.metadata();
    await image.resize(8).toBuffer();
    if (!isMark || Math.max(width, height) >= MARK_LEAST) return undefined;
    return `this picture has ${width}×${height} pixels. Save it with at least ${MARK_LEAST} on its longer side`;
  } catch {
    const kinds = isMark ? 'PNG' : 'JPEG, PNG or WebP';
    return `this file is no picture that can be read. Open it in a picture program and save it as ${kinds}`;
  }
}

/** Letters that no font has would be left out of pages and share images without a word. */
function letterMistakes(folder: string, content: Content): string[] {
  const unknown = new Set(chooseFaces(content.brand.fonts, lettersOf(content)).unknown);
  return contentFiles(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .normalize('NFC')
      .split('\n')
      .flatMap((line, index) => {
        const letters = [...new Set(line)].filter((letter) => unknown.has(letter));
        if (letters.length === 0) return [];
        const names = letters.map((letter) => `${letter} (U+${letter.codePointAt(0)!.toString(16).toUpperCase()})`);
        const where = `${relative(process.cwd(), join(folder, file))}:${index + 1}:${line.indexOf(letters[0]!) + 1}`;
        return `${where} no font of the site has ${names.join(', ')}. Write it in Latin, Greek or Cyrillic letters, or leave it out`;
      }),
  );
}
