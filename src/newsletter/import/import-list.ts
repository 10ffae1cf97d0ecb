import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { CsvRow } from './csv.ts';
import { toMailbox } from '#newsletter/subscribers/email.ts';
import { type Evidence, type Imported, importBatch } from './import-subscribers.ts';
import { keepOut } from './keep-out.ts';
import { splitIntoBatches } from '#newsletter/database/batches.ts';
import { formatCount, formatDate } from '../format.ts';
import type { Opened } from '../open-list.ts';
import { type DateOrder, readDate } from './list-dates.ts';
import { decodeListFile } from './read-list-file.ts';
import type { Column } from './column-meaning.ts';
import { type ListFile, readList } from './read-list.ts';
import { type EvidenceOption, type ImportOptions, type ReadLine, readPerson } from './read-person.ts';

/** The number of rows with each result. Together with the empty rows they add up to all rows below the header. */
export type Summary = Record<Imported | 'left out' | 'duplicate' | 'unreadable', number>;

/** The result of an import, or of its dry run. */
export type ImportOutcome = {
  summary: Summary;
  /** How many of the people left out have unsubscribed elsewhere, and are newly remembered as such. */
  keptOut: number;
  /** Lines that could not be read, by their number in the file. */
  problems: { line: number; expected: string }[];
  /** People who were not imported, each with the reason. */
  leftOut: { line: number; email: string; why: string }[];
  /** Values that were dropped from people who were imported. */
  notes: { line: number; note: string }[];
  /** The first imported people, as they are stored. */
  first: Evidence[];
};

/** A question that the owner has to answer before anything can be imported. */
export type Question =
  /** Evidence that neither the file nor the options give for anybody. */
  | { kind: 'evidence'; options: EvidenceOption[] }
  /** The first ambiguous date, with both readings. */
  | { kind: 'dates'; line: number; column: string; text: string; readings: Record<DateOrder, string> };

/** Reads a file of people. @throws if the file isn't a list */
export function openList(file: string): { list: ListFile; encoding: 'Unicode' | 'windows-1252' } {
  // Node's own error doesn't name the folder.
  if (statSync(file).isDirectory()) throw new Error(`${file}: this is a folder; a file was expected`);
  const { text, encoding } = decodeListFile(readFileSync(file), file);
  return { list: readList(text, file), encoding };
}

/**
 * Imports people with the evidence of their consent. People already on the list are left unchanged, whatever their
 * state.
 * @param options.dryRun only counts
 * @param options.onProgress called after each batch with the number of rows
 * @returns the result of each line, or the question the owner must answer first
 */
export async function importPeople(
  { store, secret }: Pick<Opened, 'store' | 'secret'>,
  list: ListFile,
  options: ImportOptions & { dryRun?: boolean; onProgress?: (done: number, total: number) => void },
): Promise<ImportOutcome | { question: Question }> {
  const problem = findDateProblem(options.date);
  if (problem !== undefined) throw new Error(problem);
  const dates = options.dates ?? findDateOrder(list);
  if (typeof dates !== 'string') return { question: dates };
  const read = (row: CsvRow) => ({ line: row.line, read: readPerson(row, list, options, dates) });
  const { question, gone } = await lookThrough(list, read);
  if (question !== undefined) return { question };

  const outcome: ImportOutcome = {
    summary: { ...EMPTY_SUMMARY, unreadable: list.broken.length },
    keptOut: 0,
    problems: [...list.broken],
    leftOut: [],
    notes: [],
    first: [],
  };
  const seen = new Map<string, number>();
  const storing = { secret, dryRun: options.dryRun ?? false };
  let done = 0;
  // A batch at a time, so that only the rows themselves are kept in memory for the whole file.
  for (const rows of splitIntoBatches(list.rows, BATCH)) {
    const lines = rows.map(read);
    const optedOut = await keepOut(store, listOptedOut(lines), storing, Date.now());
    outcome.keptOut += optedOut.keptOut;
    const people = classifyLines(lines, { outcome, gone, seen, onList: new Set(optedOut.onList) });
    const results = await importBatch(
      store,
      people.map(({ person }) => person),
      storing,
    );
    for (const each of people) recordPerson(outcome, each, results.get(each.person.normalisedEmail) ?? 'existing');
    options.onProgress?.((done += rows.length), list.rows.length);
  }
  for (const some of [outcome.problems, outcome.leftOut]) some.sort((one, other) => one.line - other.line);
  return outcome;
}

function listOptedOut(lines: Line[]): string[] {
  return lines.flatMap(({ read }) => (read.kind === 'out' && read.hasOptedOut ? (read.normalisedEmail ?? []) : []));
}

function recordPerson(outcome: ImportOutcome, { line, person, notes }: Candidate, result: Imported): void {
  outcome.summary[result] += 1;
  if (result === 'imported') {
    outcome.notes.push(...notes.map((note) => ({ line, note })));
    if (outcome.first.length < FIRST) outcome.first.push(person);
  } else outcome.leftOut.push({ line, email: person.email, why: REASONS[result] });
}

const BATCH = 250;
const FIRST = 5;

const REASONS: Record<Exclude<Imported, 'imported'>, string> = {
  existing: 'already on the list, left as they are',
  unsubscribed: 'unsubscribed earlier',
  undeliverable: 'on the list, but email cannot reach them',
  erased: 'erased from this list earlier',
};

/** @returns what is wrong with the date that was given for everybody, if it is invalid, ambiguous or in the future */
export function findDateProblem(date: string | undefined): string | undefined {
  if (!date?.trim()) return undefined;
  const read = readDate(date);
  if (read !== undefined && 'at' in read && read.at <= new Date().toISOString()) return undefined;
  return `Expected a day in the past, such as 2026-03-01, but found "${date}"`;
}

const DATE_MEANINGS = new Set(['consent given', 'confirmed', 'signed up', 'agreed']);

/** Finds whether dates are day-first or month-first: one unambiguous date, such as 25/03/2026, settles it for all. */
function findDateOrder(list: ListFile): DateOrder | Question {
  const columns = list.columns.filter(({ meaning }) => DATE_MEANINGS.has(meaning));
  const orders = new Set<DateOrder>();
  let question: Question | undefined;
  for (const { line, cells } of list.rows) {
    for (const { name: column, index } of columns) {
      const text = cells[index] ?? '';
      const { 'day-first': one, 'month-first': other } = { ...readDate(text) } as Partial<Record<DateOrder, string>>;
      if (one !== undefined && other !== undefined) {
        const readings = { 'day-first': formatDate(one), 'month-first': formatDate(other) };
        question ??= { kind: 'dates', line, column, text, readings };
      }
    }
    for (const order of listOrders(cells, columns)) orders.add(order);
  }
  const [only, second] = orders;
  return question !== undefined && (only === undefined || second !== undefined) ? question : (only ?? 'day-first');
}

function listOrders(cells: string[], columns: Column[]): DateOrder[] {
  const dates = columns.map(({ index }) => readDate(cells[index] ?? '') ?? {});
  return dates.flatMap((date) => {
    const orders = Object.keys(date);
    return orders.length === 1 && !('at' in date) ? (orders as DateOrder[]) : [];
  });
}

type Line = { line: number; read: ReadLine };

/**
 * Reads every line once before anything is imported.
 * @returns the evidence missing from every line, without which nothing can be imported (if only some lines lack it,
 *   each is reported); and the mailboxes that unsubscribed according to a line, which are left out however they are
 *   spelt
 */
async function lookThrough(
  list: ListFile,
  read: (row: CsvRow) => Line,
): Promise<{ question: Question | undefined; gone: Map<string, number> }> {
  const gone = new Map<string, number>();
  const missing = new Set<EvidenceOption>();
  let hasPerson = false;
  for (const rows of splitIntoBatches(list.rows, BATCH)) {
    for (const { line, read: found } of rows.map(read)) {
      if (found.kind === 'person') hasPerson = true;
      else if (found.kind === 'without evidence') for (const option of found.missing) missing.add(option);
      else if (found.kind === 'out' && found.normalisedEmail) gone.set(toMailbox(found.normalisedEmail), line);
    }
    // The server answers other requests in between.
    await setImmediate();
  }
  const isMissing = !hasPerson && missing.size > 0;
  return { question: isMissing ? { kind: 'evidence', options: [...missing] } : undefined, gone };
}

/** @param count at least 1 */
export function describeKeptOut(count: number): string {
  const who =
    count === 1 ? '1 person has unsubscribed elsewhere' : `${formatCount(count)} people have unsubscribed elsewhere`;
  return `${who} and won’t be added by any other file. If they sign up, they will be asked to confirm.`;
}

type Candidate = { line: number; person: Evidence; notes: string[] };

/**
 * @property seen the lines of people seen so far, by email address
 * @property onList the normalised email addresses on this list of people who have unsubscribed elsewhere
 */
type Sorting = {
  outcome: ImportOutcome;
  gone: Map<string, number>;
  seen: Map<string, number>;
  onList: Set<string>;
};

/** Records the results that don't depend on the store. @returns the people to look up in it */
function classifyLines(lines: Line[], { outcome, gone, seen, onList }: Sorting): Candidate[] {
  const leaveOut = (kind: 'left out' | 'duplicate', line: number, email: string, why: string) => {
    outcome.summary[kind] += 1;
    outcome.leftOut.push({ line, email, why });
  };
  const reject = (line: number, expected: string) => {
    outcome.summary.unreadable += 1;
    outcome.problems.push({ line, expected });
  };
  return lines.flatMap(({ line, read }): Candidate[] => {
    if (read.kind === 'out') {
      const rest = onList.has(read.normalisedEmail ?? '') ? STILL_ON_LIST : '';
      leaveOut('left out', line, read.email, `${read.why}${rest}`);
    } else if (read.kind === 'unreadable') reject(line, read.expected);
    else if (read.kind === 'without evidence') {
      reject(line, `expected ${read.missing.map((each) => EVIDENCE[each]).join(', and ')}`);
    }
    if (read.kind !== 'person') return [];
    const { email, normalisedEmail } = read.person;
    const leftOn = gone.get(toMailbox(normalisedEmail));
    const other = seen.get(toMailbox(normalisedEmail));
    if (leftOn !== undefined) leaveOut('left out', line, email, `line ${leftOn} says that they are not subscribed`);
    else if (other !== undefined) leaveOut('duplicate', line, email, `also on line ${other}`);
    else {
      seen.set(toMailbox(normalisedEmail), line);
      return [{ line, ...read }];
    }
    return [];
  });
}

const STILL_ON_LIST = '; they are still on this list, so unsubscribe them here if they want no more updates';

const EMPTY_SUMMARY: Summary = {
  imported: 0,
  existing: 0,
  unsubscribed: 0,
  undeliverable: 0,
  erased: 0,
  'left out': 0,
  duplicate: 0,
  unreadable: 0,
};

const EVIDENCE = {
  wording: 'the sentence that the person agreed to',
  source: 'where the person signed up',
  date: 'when the person agreed',
};
