import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPicture, MARK_FILES, PORTRAIT_FILES } from '#content/pictures/picture-files.ts';
import { listContentFiles, listMarkdownFiles, nameFile } from '#content/parse-content.ts';
import { type LaunchFinding, reportIf } from './finding.ts';
import { findLeftovers } from './find-leftovers.ts';

/** A text file of content/. @property file its name there, such as `updates/2026-12-salaries.md` */
export type TextFile = { file: string; text: string };

/**
 * Finds everything in the content folder that must be fixed before launch.
 * @param folder absolute path of content/
 * @param updates the owner's emails to many people, which may be in the database; by default those in the folder
 */
export function checkContent(
  folder: string,
  updates: TextFile[] = readFiles(folder, listMarkdownFiles(folder, 'updates')),
): LaunchFinding[] {
  return [
    ...findLeftovers(folder, [...readFiles(folder, listContentFiles(folder)), ...updates]),
    ...findMissingPictures(folder),
  ];
}

function readFiles(folder: string, files: string[]): TextFile[] {
  return files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

function findMissingPictures(folder: string): LaunchFinding[] {
  const [hasPortrait, hasMark] = [PORTRAIT_FILES, MARK_FILES].map((files) => findPicture(folder, files) !== undefined);
  const portrait = `Add a photograph on the desk, under Pictures, or in content/ as ${PORTRAIT_FILES[0]}, and describe it under Founder.`;
  const mark =
    'Add yours on the desk, under Pictures, or in content/ as mark.svg, or as mark.png of at least 512 pixels.';
  const portraitProblem = 'the drawn portrait is shown instead of a photograph';
  const markProblem = 'the demonstration’s mark is in the header, the icons and the share images';
  return [
    ...reportIf(!hasPortrait, nameFile(folder, 'portrait.jpg'), portraitProblem, portrait, 'picture.portrait'),
    ...reportIf(!hasMark, nameFile(folder, 'mark.svg'), markProblem, mark, 'picture.mark'),
  ];
}
