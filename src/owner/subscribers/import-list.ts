import { readFileSync } from 'node:fs';
import { erasedAddressHash } from '#list/address-hashes.ts';
import { type Evidence, type Imported, importBatch, readErasures } from '#list/import-subscribers.ts';
import { retentionLimit } from '#list/purge.ts';
import { readCsv } from './csv.ts';
import { decodeListFile } from './read-list-file.ts';
import { type Answer, print, write } from '../command/print.ts';
import { progressBar } from '../command/progress-bar.ts';
import { type ImportOptions, readPerson } from './read-person.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

/** How many people became what. */
type Summary = Record<Imported | 'erased' | 'twice in the file', number>;

/**
 * Imports people with the evidence of their consent. People who are known, in whatever state, are not changed.
 * @throws when the file gives no evidence of consent and the options give none either, or a line was left out
 */
export async function importList(
  { store, secret }: Opened,
  file: string,
  options: Answer & ImportOptions & { dryRun?: boolean },
): Promise<void> {
  const { columns, rows, broken } = readCsv(readText(file));
  refuseWithoutEvidence(columns, options);
  const now = Date.now();
  const limits = { now, oldest: retentionLimit(now) };
  const erased = await readErasures(store.db);
  const problems = broken.map((line) => ({ line, expected: 'expected as many cells as the first line has' }));
  const summary: Summary = {
    imported: 0,
    known: 0,
    unsubscribed: 0,
    undeliverable: 0,
    erased: 0,
    'twice in the file': 0,
  };
  const seen = new Set<string>();
  const batch: Evidence[] = [];
  const flush = async () => {
    const outcome = await importBatch(store, batch.splice(0), { now, dryRun: options.dryRun ?? false });
    for (const [key, count] of Object.entries(outcome)) summary[key as Imported] += count;
  };

  const bar = progressBar('Importing', process.stderr);
  for (const [index, { line, cells }] of rows.entries()) {
    const person = readPerson(cells, options, limits);
    if ('expected' in person) problems.push({ line, expected: person.expected });
    else if (erased.has(erasedAddressHash(person.normalisedAddress, secret))) summary.erased += 1;
    else if (seen.has(person.normalisedAddress)) summary['twice in the file'] += 1;
    else batch.push(person);
    if (!('expected' in person)) seen.add(person.normalisedAddress);
    if (batch.length >= BATCH) await flush();
    bar.show(index + 1, rows.length);
  }
  await flush();
  bar.end();
  report(summary, problems, options);
}

const BATCH = 250;

function readText(file: string): string {
  const { text, encoding } = decodeListFile(readBytes(file), file);
  if (encoding === 'windows-1252') {
    process.stderr.write(
      `${file} is not UTF-8: it was read in the Western code page of Windows. If letters are wrong, save it as "CSV UTF-8".\n`,
    );
  }
  return text;
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is none' : code === 'EISDIR' ? 'it is a folder' : 'it cannot be read';
    throw new Error(`${file}: expected a CSV file; ${reason}`, { cause: error });
  }
}

function refuseWithoutEvidence(columns: string[], options: ImportOptions): void {
  const needed = { wording: 'consent wording', source: 'first source', date: 'consent given' } as const;
  for (const [option, column] of Object.entries(needed)) {
    if (columns.includes(column) || options[option as keyof ImportOptions] !== undefined) continue;
    throw new Error(`--${option}: expected, since the file has no column "${column}"; consent has to be shown`);
  }
}

function report(
  summary: Summary,
  problems: { line: number; expected: string }[],
  { json, dryRun }: Answer & { dryRun?: boolean },
): void {
  problems.sort((a, b) => a.line - b.line);
  if (json) print({ ...summary, problems });
  else {
    const name = (key: string) => (key === 'imported' && dryRun ? 'would be imported' : key);
    write(
      table(
        ['What', 'People'],
        Object.entries(summary).map(([key, count]) => [name(key), String(count)]),
      ),
    );
  }
  if (problems.length > 0)
    throw new Error(problems.map(({ line, expected }) => `line ${line}: ${expected}`).join('\n'));
}
