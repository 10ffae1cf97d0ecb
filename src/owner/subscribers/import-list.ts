import { randomUUIDv7 } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type Evidence, type Imported, importBatch } from '#list/import-subscribers.ts';
import { splitRows } from '#store/in-portions.ts';
import { readCsv } from './csv.ts';
import { decodeListFile } from './read-list-file.ts';
import { answer, type Answer, writeError } from '../command/print.ts';
import { ADDRESS_COLUMNS, type ImportOptions, readPerson } from './read-person.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

/** How many people became what. */
type Summary = Record<Imported | 'twice in the file', number>;

/** The result of an import, or of its dry run. */
export type ImportOutcome = {
  summary: Summary;
  /** Lines that are left out, by their number in the file. */
  problems: { line: number; expected: string }[];
  /** The first people of lines without a mistake, as they would be stored. */
  first: Evidence[];
};

/**
 * Imports people with the evidence of their consent. People who are known, in whatever state, are not changed.
 * @throws when the file gives no evidence of consent and the options give none either, or a line was left out
 */
export async function importList(
  opened: Opened,
  file: string,
  options: Answer & ImportOptions & { dryRun?: boolean },
): Promise<void> {
  const text = readText(file);
  refuseWithoutEvidence(text, options, file);
  const { summary, problems } = await importPeople(opened, text, options);
  const name = (key: string) => (key === 'imported' && options.dryRun ? 'would be imported' : key);
  const rows = Object.entries(summary).map(([key, count]) => [name(key), String(count)]);
  answer(options, { ...summary, problems }, table(['What', 'People'], rows));
  if (problems.length === 0) return;
  throw new Error(problems.map(({ line, expected }) => `line ${line}: ${expected}`).join('\n'));
}

/**
 * @param text CSV, as `decodeListFile` gives it
 * @param options.dryRun only counts
 */
export async function importPeople(
  { store, secret }: Pick<Opened, 'store' | 'secret'>,
  text: string,
  options: ImportOptions & { dryRun?: boolean },
): Promise<ImportOutcome> {
  const { rows, broken } = readCsv(text);
  const problems = broken.map((line) => ({ line, expected: 'expected as many cells as the first line has' }));
  const summary: Summary = { ...NOBODY };
  const byAddress = new Map<string, Evidence>();
  for (const { line, cells } of rows) {
    const person = readPerson(cells, options);
    if ('expected' in person) problems.push({ line, expected: person.expected });
    else if (byAddress.has(person.normalisedAddress)) summary['twice in the file'] += 1;
    else byAddress.set(person.normalisedAddress, person);
  }
  const people = [...byAddress.values()];
  const [begun, dryRun] = [randomUUIDv7(), options.dryRun ?? false];
  for (const some of splitRows(people, BATCH)) {
    const outcome = await importBatch(store, some, { secret, begun, dryRun });
    for (const [key, count] of Object.entries(outcome)) summary[key as Imported] += count;
  }
  problems.sort((one, other) => one.line - other.line);
  return { summary, problems, first: people.slice(0, FIRST) };
}

const NOBODY: Summary = { imported: 0, known: 0, unsubscribed: 0, undeliverable: 0, erased: 0, 'twice in the file': 0 };
const BATCH = 250;
const FIRST = 5;

function readText(file: string): string {
  // Node's own error for a folder does not name it.
  if (statSync(file).isDirectory()) throw new Error(`${file}: this is a folder; a file was expected`);
  const { text, encoding } = decodeListFile(readFileSync(file), file);
  if (encoding === 'windows-1252') {
    writeError(
      `${file} is not UTF-8: it was read in the Western code page of Windows. If letters are wrong, save it as "CSV UTF-8".\n`,
    );
  }
  return text;
}

function refuseWithoutEvidence(text: string, options: ImportOptions, file: string): void {
  const [option] = findMissingEvidence(text, options, file);
  if (option === undefined) return;
  throw new Error(
    `--${option}: expected, since the file has no column "${EVIDENCE_COLUMNS[option]}"; consent has to be shown`,
  );
}

/**
 * The evidence of consent that neither a column nor an option gives.
 * @param file its name
 * @throws unless one column holds addresses
 */
export function findMissingEvidence(text: string, options: ImportOptions, file: string): (keyof ImportOptions)[] {
  const { columns } = readCsv(text);
  const addresses = columns.filter((name) => ADDRESS_COLUMNS.includes(name)).map((name) => `"${name}"`);
  if (addresses.length === 0) {
    throw new Error(`${file}: expected CSV whose first line names its columns, one of them "email"`);
  }
  if (addresses.length > 1) {
    throw new Error(
      `${file}: expected one column of email addresses, but found ${addresses.join(' and ')}; take the others out`,
    );
  }
  const names = Object.keys(EVIDENCE_COLUMNS) as (keyof ImportOptions)[];
  return names.filter((name) => !columns.includes(EVIDENCE_COLUMNS[name]) && !options[name]?.trim());
}

const EVIDENCE_COLUMNS = { wording: 'consent wording', source: 'first source', date: 'consent given' } as const;
