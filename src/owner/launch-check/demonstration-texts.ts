import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { updateFiles } from '#content/read-content.ts';
import { type Finding, findingIf } from './finding.ts';
import { type PlacedText, readTexts } from './read-texts.ts';

/** Tells of a person who does not exist. */
const BIOGRAPHY = 'founder > biography';

/**
 * Texts that another agency may keep, once its owner has read them: it may be in the same market. The sign-ups' own
 * words fit any, and so does what is no longer than a button.
 */
const READ_ONCE: Record<string, (text: PlacedText) => boolean> = {
  'agency.yaml': ({ field }) => field === 'descriptor' || field === 'bottomLine',
  'home.yaml': ({ field, text }) => !/SignUp/.test(field) && (field.startsWith('founder > stats') || text.length >= 25),
  'faq.yaml': () => true,
  'mail.yaml': ({ field }) => field === 'welcome > paragraphs',
};

/**
 * Texts that are still as the project ships them: a finding for each line of the biography, and one for each file of
 * those that may stay.
 * @param folder absolute path of content/
 * @param named how a file is named to the owner
 */
export function checkTexts(folder: string, named: (file: string) => string): Finding[] {
  const known = new Set<string>(JSON.parse(readFileSync(SHIPPED, 'utf8')));
  const pageTexts = Object.keys(READ_ONCE).flatMap((file) => {
    const unchanged = comparedTexts(folder, file).filter((text) => known.has(fingerprint(file, text)));
    const mayStay = unchanged.filter(({ field }) => field !== BIOGRAPHY);
    return [
      ...unchanged
        .filter(({ field }) => field === BIOGRAPHY)
        .map(({ line, column, field }) => ({
          where: `${named(file)}:${line}:${column} ${field}`,
          problem: 'this tells the life of the demonstration’s founder',
          advice: 'Write what is true of yours.',
        })),
      ...(mayStay.length === 0 ? [] : [readOnce(named(file), mayStay)]),
    ];
  });
  return [...pageTexts, ...checkUpdates(folder, named, known)];
}

/** An update of the demonstration's must not be sent to anybody. */
function checkUpdates(folder: string, named: (file: string) => string, known: Set<string>): Finding[] {
  return updateFiles(folder).flatMap((file) => {
    const shipped = readParagraphs(folder, file).find(({ text }) => known.has(fingerprintOfUpdate(text)));
    return findingIf(
      shipped !== undefined,
      `${named(file)}:${shipped?.line}`,
      'this update is the demonstration’s',
      'Remove the file, or write your own words in it.',
    );
  });
}

/** Lines that are longer than a greeting. */
function readParagraphs(folder: string, file: string): { text: string; line: number }[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.map((text, index) => ({ text, line: index + 1 })).filter(({ text }) => text.length >= 40);
}

function fingerprintOfUpdate(text: string): string {
  return createHash('sha256').update(`update ${text.trim()}`).digest('hex').slice(0, 16);
}

/** Hashes of what the project ships: the texts themselves would be one more copy to keep. */
const SHIPPED = new URL('./demonstration-texts.json', import.meta.url);

function readOnce(where: string, places: PlacedText[]): Finding {
  const listed = [...Map.groupBy(places, ({ field }) => field)].map(
    ([field, same]) => `${field} (${same.length === 1 ? 'line' : 'lines'} ${same.map(({ line }) => line).join(', ')})`,
  );
  return {
    where,
    problem: `still as in the demonstration: ${listed.join('; ')}`,
    advice: 'Read each once. Keep what is true of your agency and sounds like you, and write the others yourself.',
    mayStay: true,
  };
}

/** Hashes of a content folder, as `demonstration-texts.json` holds them; `write-demonstration-texts.ts` renews it. */
export function hashTexts(folder: string): string[] {
  const pageTexts = Object.keys(READ_ONCE).flatMap((file) =>
    comparedTexts(folder, file).map((text) => fingerprint(file, text)),
  );
  const updateTexts = updateFiles(folder).flatMap((file) => readParagraphs(folder, file));
  return [...pageTexts, ...updateTexts.map(({ text }) => fingerprintOfUpdate(text))];
}

function comparedTexts(folder: string, file: string): PlacedText[] {
  return readTexts(readFileSync(join(folder, file), 'utf8')).filter((text) => READ_ONCE[file]?.(text));
}

function fingerprint(file: string, { field, text }: PlacedText): string {
  return createHash('sha256').update(`${file} ${field} ${text}`).digest('hex').slice(0, 16);
}
