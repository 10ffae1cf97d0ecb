import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPicture, MARK_FILES, PORTRAIT_FILES } from '#content/pictures.ts';
import { listContentFiles, listMarkdownFiles, nameFile } from '#content/read-content.ts';
import { type Finding, reportIf } from './finding.ts';
import { findLeftovers } from './find-leftovers.ts';

/**
 * Finds everything in the content folder that stops a launch.
 * @param folder absolute path of content/
 */
export function checkContent(folder: string): Finding[] {
  return [
    ...findLeftovers(folder, [...listContentFiles(folder), ...listMarkdownFiles(folder, 'updates')]),
    ...checkMonths(folder),
    ...findMissingPictures(folder),
  ];
}

/** The build does not check this, since it must not depend on the clock. */
function checkMonths(folder: string): Finding[] {
  return listContentFiles(folder).flatMap((file) => {
    const source = file.endsWith('.md') ? readFileSync(join(folder, file), 'utf8') : '';
    const [before, month] = /^[^]*?^lastUpdated:\s*["']?(\w+ \d{4})/m.exec(source) ?? [];
    const hasCome = month === undefined || Date.parse(`1 ${month} UTC`) < Date.now() + DAY_MS;
    const line = before?.split('\n').length;
    const advice = 'Write the month in which you last changed this page.';
    const where = `${nameFile(folder, file)}:${line} lastUpdated`;
    return [
      ...reportIf(!hasCome, where, `${month} has not come yet`, advice),
      ...reportIf(month === DEMONSTRATION_MONTH, where, `${month} is the demonstration’s`, advice),
    ];
  });
}

/** The month of the demonstration's policy (specification, section 9). */
const DEMONSTRATION_MONTH = 'August 2025';

/** A month begins up to a day earlier in time zones of the east. */
const DAY_MS = 24 * 60 * 60 * 1000;

function findMissingPictures(folder: string): Finding[] {
  const [hasPortrait, hasMark] = [PORTRAIT_FILES, MARK_FILES].map((files) => findPicture(folder, files) !== undefined);
  const portrait =
    `Put a photograph there (${PORTRAIT_FILES.join(', ')}), ` +
    'and describe it in home.yaml under founder.portraitAlt.';
  const mark = 'Put yours there as mark.svg, or as mark.png of at least 512 pixels.';
  const markProblem = 'the demonstration’s mark is in the header, the icons and the share images';
  return [
    ...reportIf(
      !hasPortrait,
      nameFile(folder, 'portrait.jpg'),
      'the drawn portrait is shown instead of a photograph',
      portrait,
    ),
    ...reportIf(!hasMark, nameFile(folder, 'mark.svg'), markProblem, mark),
  ];
}
