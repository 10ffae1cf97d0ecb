import { readFileSync, statSync } from 'node:fs';
import { toMailbox } from '#newsletter/subscribers/email.ts';
import { type Evidence, type Imported, importBatch } from './import-subscribers.ts';
import { splitIntoBatches } from '#newsletter/database/batches.ts';
import { formatDate } from '../format.ts';
import type { Opened } from '../open-list.ts';
import { type DateOrder, readDate } from './list-dates.ts';
import { decodeListFile } from './read-list-file.ts';
import { type Column, type ListFile, readList } from './read-list.ts';
import { type EvidenceOption, type ImportOptions, type ReadLine, readPerson } from './read-person.ts';

/** How many rows had which result. With the empty rows, that is all rows below the heading. */
export type Summary = Record<Imported | 'left out' | 'twice in the file' | 'unreadable', number>;

/** The result of an import, or of its dry run. */
export type ImportOutcome = {
  summary: Summary;
  /** Lines that could not be read, by their number in the file. */
  problems: { line: number; expected: string }[];
  /** People who were not imported, each with the reason. */
  leftOut: { line: number; email: string; why: string }[];
  /** Values of imported people that were left out. */
  notes: { line: number; note: string }[];
  /** The first imported people, as they are stored. */
  first: Evidence[];
};

/** What the owner must say before anything can be imported. */
export type Question =
  /** Neither the file nor the options say it for anybody. */
  | { kind: 'evidence'; options: EvidenceOption[] }
  /** The first date that can be read in two ways, as both. */
  | { kind: 'dates'; line: number; column: string; text: string; readings: Record<DateOrder, string> };

/** Reads a file of people. @throws if it is no list */
export function openList(file: string): { list: ListFile; encoding: 'Unicode' | 'windows-1252' } {
  // Node's own error doesn't name the folder.
  if (statSync(file).isDirectory()) throw new Error(`${file}: this is a folder; a file was expected`);
  const { text, encoding } = decodeListFile(readFileSync(file), file);
  return { list: readList(text, file), encoding };
}

/**
 * Imports people with the evidence of their consent. Known people don't change, whatever their state.
 * @param options.dryRun only counts
 * @returns the result of each line, or what the owner must say first
 */
export async function importPeople(
  { store, secret }: Pick<Opened, 'store' | 'secret'>,
  list: ListFile,
  options: ImportOptions & { dryRun?: boolean },
): Promise<ImportOutcome | { question: Question }> {
  checkDate(options.date);
  const dates = options.dates ?? findDateOrder(list);
  if (typeof dates !== 'string') return { question: dates };
  const lines = list.rows.map((row) => ({ line: row.line, read: readPerson(row, list, options, dates) }));
  const question = findMissingEvidence(lines);
  if (question !== undefined) return { question };

  const { outcome, people } = sortLines(list, lines);
  for (const some of splitIntoBatches([...people.values()], BATCH)) {
    const batch = some.map(({ person }) => person);
    const became = await importBatch(store, batch, { secret, dryRun: options.dryRun ?? false });
    for (const { line, person, notes } of some) {
      const result = became.get(person.normalisedEmail) ?? 'existing';
      outcome.summary[result] += 1;
      if (result === 'imported') {
        outcome.notes.push(...notes.map((note) => ({ line, note })));
        if (outcome.first.length < FIRST) outcome.first.push(person);
      } else outcome.leftOut.push({ line, email: person.email, why: WHY[result] });
    }
  }
  for (const some of [outcome.problems, outcome.leftOut]) some.sort((one, other) => one.line - other.line);
  return outcome;
}

const BATCH = 250;
const FIRST = 5;

const WHY: Record<Exclude<Imported, 'imported'>, string> = {
  existing: 'already on the list, left as they are',
  unsubscribed: 'unsubscribed from this list',
  undeliverable: 'on the list, but email cannot reach them',
  erased: 'erased from this list earlier',
};

/** @throws if the date for all is invalid, ambiguous or in the future */
function checkDate(date: string | undefined): void {
  if (!date?.trim()) return;
  const read = readDate(date);
  if (read !== undefined && 'at' in read && read.at <= new Date().toISOString()) return;
  throw new Error(`--date: expected a day in the past, such as 2026-03-01, but found "${date}"`);
}

const DATE_MEANINGS = new Set(['consent given', 'confirmed', 'signed up', 'agreed']);

/** How days and months are read: a date such as 25/03/2026 decides for the whole file. */
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

/** Finds what nobody in the file has. If only some lines lack it, they are reported one by one. */
function findMissingEvidence(lines: Line[]): Question | undefined {
  if (lines.some(({ read }) => read.kind === 'person')) return undefined;
  const missing = lines.flatMap(({ read }) => (read.kind === 'without evidence' ? read.missing : []));
  return missing.length === 0 ? undefined : { kind: 'evidence', options: [...new Set(missing)] };
}

type Coming = { line: number; person: Evidence; notes: string[] };

/** @returns what is known without the store, and the people to look up in it, by email address */
function sortLines(list: ListFile, lines: Line[]): { outcome: ImportOutcome; people: Map<string, Coming> } {
  const outcome: ImportOutcome = {
    summary: { ...NOBODY },
    problems: [...list.broken],
    leftOut: [],
    notes: [],
    first: [],
  };
  const people = new Map<string, Coming>();
  // Somebody who left according to one line stays out, under any spelling of the mailbox.
  const gone = new Map<string, number>();
  for (const { line, read } of lines) {
    if (read.kind === 'out' && read.normalisedEmail) gone.set(toMailbox(read.normalisedEmail), line);
  }
  const leaveOut = (kind: 'left out' | 'twice in the file', line: number, email: string, why: string) => {
    outcome.summary[kind] += 1;
    outcome.leftOut.push({ line, email, why });
  };
  for (const { line, read } of lines) {
    if (read.kind === 'out') leaveOut('left out', line, read.email, read.why);
    else if (read.kind === 'unreadable') outcome.problems.push({ line, expected: read.expected });
    else if (read.kind === 'without evidence') {
      outcome.problems.push({
        line,
        expected: `expected ${read.missing.map((each) => EVIDENCE[each]).join(', and ')}`,
      });
    }
    if (read.kind !== 'person') continue;
    const { email, normalisedEmail } = read.person;
    const leftOn = gone.get(toMailbox(normalisedEmail));
    const other = people.get(toMailbox(normalisedEmail));
    if (leftOn !== undefined) leaveOut('left out', line, email, `line ${leftOn} says that they are not subscribed`);
    else if (other !== undefined) leaveOut('twice in the file', line, email, `also on line ${other.line}`);
    else people.set(toMailbox(normalisedEmail), { line, ...read });
  }
  outcome.summary.unreadable = outcome.problems.length;
  return { outcome, people };
}

const NOBODY: Summary = {
  imported: 0,
  existing: 0,
  unsubscribed: 0,
  undeliverable: 0,
  erased: 0,
  'left out': 0,
  'twice in the file': 0,
  unreadable: 0,
};

const EVIDENCE = {
  wording: 'the sentence that the person agreed to',
  source: 'where the person signed up',
  date: 'when the person agreed',
};
