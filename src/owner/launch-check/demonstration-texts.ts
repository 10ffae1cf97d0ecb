import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMarkdownFiles } from '#content/read-content.ts';
import type { Finding } from './finding.ts';
import { type PlacedText, readTexts } from './read-texts.ts';

/** Tells of a person who does not exist. */
const BIOGRAPHY = 'founder > biography';

/** In place of a field's name; the file of an update may be called anything. */
const UPDATE = 'update';

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
 * Texts that are still as the project ships them: a finding for each line of the biography and each update, and one for
 * each file of texts that may stay.
 * @param folder absolute path of content/
 * @param nameFile how a file is named to the owner
 */
export function checkTexts(folder: string, nameFile: (file: string) => string): Finding[] {
  const shipped = new Set<string>(JSON.parse(readFileSync(SHIPPED, 'utf8')));
  const unchanged = readCompared(folder).filter((text) => shipped.has(hashText(text)));
  return [...Map.groupBy(unchanged, ({ file }) => nameFile(file))].flatMap(([where, texts]) => {
    const { field, line } = texts[0]!;
    if (field === UPDATE) {
      const advice = 'Remove the file, or write your own words in it.';
      return [{ where: `${where}:${line}`, problem: 'this update is the demonstration’s', advice }];
    }
    const lives = texts.filter((text) => text.field === BIOGRAPHY);
    return [
      ...lives.map((text) => ({
        where: `${where}:${text.line}:${text.column} ${text.field}`,
        problem: 'this tells the life of the demonstration’s founder',
        advice: 'Write what is true of yours.',
      })),
      ...reportTexts(
        where,
        texts.filter((text) => text.field !== BIOGRAPHY),
      ),
    ];
  });
}

/** Hashes of what the project ships: the texts themselves would be one more copy to keep. */
const SHIPPED = new URL('./demonstration-texts.json', import.meta.url);

function reportTexts(where: string, texts: PlacedText[]): Finding[] {
  if (texts.length === 0) return [];
  const listed = [...Map.groupBy(texts, ({ field }) => field)].map(
    ([field, same]) => `${field} (${same.length === 1 ? 'line' : 'lines'} ${same.map(({ line }) => line).join(', ')})`,
  );
  const problem = `still as in the demonstration: ${listed.join('; ')}`;
  const advice = 'Read each once. Keep what is true of your agency and sounds like you, and write the others yourself.';
  return [{ where, problem, advice, mayStay: true }];
}

/** Hashes of a content folder, as `demonstration-texts.json` holds them; `write-demonstration-texts.ts` renews it. */
export function hashDemonstrationTexts(folder: string): string[] {
  return readCompared(folder).map(hashText);
}

type Compared = PlacedText & { file: string };

/** Of an update, lines that are longer than a greeting. */
function readCompared(folder: string): Compared[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const fields = Object.entries(READ_ONCE).flatMap(([file, isCompared]) =>
    readTexts(read(file)).flatMap((text) => (isCompared(text) ? [{ ...text, file }] : [])),
  );
  const lines = listMarkdownFiles(folder, 'updates').flatMap((file) =>
    [...read(file).split('\n').entries()].map(([index, text]) => ({
      file,
      field: UPDATE,
      line: index + 1,
      column: 1,
      text: text.trim(),
    })),
  );
  return [...fields, ...lines.filter(({ text }) => text.length >= 40)];
}

function hashText({ file, field, text }: Compared): string {
  const place = field === UPDATE ? field : `${file} ${field}`;
  return createHash('sha256').update(`${place} ${text}`).digest('hex').slice(0, 16);
}
