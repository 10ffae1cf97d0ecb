import { suggestEmail } from '#shared/suggest-email.ts';
import { type FieldDescription, findFieldProblem, OPTIONAL_FIELDS, optionalFields } from '#shared/sign-up-fields.ts';
import { SIGN_UP_FORMS } from '#shared/sign-up-rules.ts';
import { normaliseEmail, toDisplayEmail } from '#newsletter/subscribers/email.ts';
import type { Evidence } from './import-subscribers.ts';
import { findRetentionLimit } from '../retention/renewals.ts';
import { formatDate } from '../format.ts';
import type { CsvRow } from './csv.ts';
import { parseFormerMailboxes, parseReceived } from './export-list.ts';
import {
  BLANK_WORDS,
  IN_WORDS,
  listValues,
  type Meaning,
  NO_WORDS,
  OPTED_OUT_NAMES,
  OPTED_OUT_WORDS,
  OUT_WORDS,
  simplify,
} from './column-names.ts';
import { type DateOrder, readDate } from './list-dates.ts';
import type { Column } from './column-meaning.ts';
import type { ListFile } from './read-list.ts';

/** The evidence of consent for lines that have none, and how to read dates. */
export type ImportOptions = { [option in EvidenceOption]?: string | undefined } & {
  dates?: DateOrder | undefined;
};

export type EvidenceOption = 'wording' | 'source' | 'date';

/** The result of reading one line. */
export type ReadLine =
  | { kind: 'person'; person: Evidence; notes: string[] }
  /**
   * Somebody who is left out, and why. `normalisedEmail` may be set if the file says that they aren't subscribed;
   * `hasOptedOut` is set if they want no email.
   */
  | { kind: 'out'; email: string; normalisedEmail?: string | undefined; hasOptedOut?: boolean; why: string }
  | { kind: 'unreadable'; expected: string }
  /** A person without evidence of consent. */
  | { kind: 'without evidence'; missing: EvidenceOption[] };

/**
 * Reads one line of a list.
 * @param dates how to read numeric dates
 */
export function readPerson(row: CsvRow, list: ListFile, options: ImportOptions, dates: DateOrder): ReadLine {
  if (row.cells.slice(list.width).some(Boolean)) {
    const cells = list.width === 1 ? '1 cell' : `${list.width} cells`;
    const expected = `expected ${cells} as in the header, found ${row.cells.length}; put quotation marks around a cell that contains a comma`;
    return { kind: 'unreadable', expected };
  }
  if (swallowsLines(row, list.delimiter)) return { kind: 'unreadable', expected: describeSwallowed(row) };
  const cellsOf = (meaning: Meaning) => listCells(row, list.columns, meaning);
  const emails = cellsOf('email').filter(({ cell }) => !isBlank(cell));
  // Outlook exports Exchange addresses, which aren't internet addresses: "/o=Labs/cn=anna".
  const typed = (emails.find(({ cell }) => !cell.startsWith('/o=')) ?? emails[0])?.cell;
  if (typed === undefined) return { kind: 'out', email: '', why: 'it has no email address' };
  const plain = extractEmail(typed);
  const normalisedEmail = normaliseEmail(plain);
  const email = normalisedEmail === undefined ? typed : toDisplayEmail(plain);
  if (normalisedEmail === undefined && isFootnote(row, list, typed)) {
    return { kind: 'out', email, why: 'it isn’t a person, but a total, a note or the header again' };
  }
  const when = readTimes(cellsOf, dates);
  const reason = list.isUnsubscribedExport
    ? { why: 'the name of the file says so', hasOptedOut: list.isOptedOutExport }
    : findReason(cellsOf, 'expected' in when ? '' : when.agreedAt);
  if (reason !== undefined) return { kind: 'out', email, normalisedEmail, ...reason };
  if (normalisedEmail === undefined) {
    return {
      kind: 'unreadable',
      expected: `expected an email address such as hello@example.org, but found "${typed}"`,
    };
  }
  if ('expected' in when) return { kind: 'unreadable', expected: when.expected };
  const read = toPerson({ email, normalisedEmail }, cellsOf, options, when);
  if (read.kind === 'person' && row.cells.length < list.width)
    read.notes.push('the line ends early; the missing cells count as empty');
  return read;
}

type Cell = { column: Column; cell: string };
type CellsOf = (meaning: Meaning) => Cell[];

function listCells({ cells }: CsvRow, columns: Column[], meaning: Meaning): Cell[] {
  const found = columns.filter((column) => column.meaning === meaning).toSorted((one, other) => one.rank - other.rank);
  return found.map((column) => ({ column, cell: cells[column.index] ?? '' }));
}

/** Whether an unclosed quotation mark has merged several people into one row. */
function swallowsLines({ line, end, cells }: CsvRow, delimiter: string): boolean {
  if (end === line) return false;
  const swallowed = cells.flatMap((cell) => cell.split('\n').slice(1));
  return swallowed.some((each) => {
    const parts = each.split(delimiter).map((part) => part.trim().replaceAll('"', ''));
    return parts.length > 1 && parts.some((part) => normaliseEmail(part) !== undefined);
  });
}

function describeSwallowed({ line, end }: CsvRow): string {
  return `lines ${line} to ${end} were read as one cell, because a quotation mark isn’t closed`;
}

/**
 * Extracts the email address from `Anna <anna@example.org>`, or from quotation marks that spreadsheets and Outlook add.
 */
function extractEmail(typed: string): string {
  const inBrackets = /<([^<>]*@[^<>]*)>[^@]*$/.exec(typed)?.[1];
  return (inBrackets ?? typed).replace(/^['"\u2018]+|['"\u2019]+$/g, '');
}

/** Whether a line isn't a person, but was added below the list by a program. */
function isFootnote({ cells }: CsvRow, { columns }: ListFile, typed: string): boolean {
  if (columns.some(({ meaning, name }) => meaning === 'email' && name === typed)) return true;
  return FOOTNOTE.test(typed) && !cells.some((cell) => cell.includes('@'));
}

const FOOTNOTE =
  /^[^\p{L}\p{N}]*(?:(?:grand |sub)?totals?|sum(?:me)?|gesamt|anzahl|count|number of|end of|exported|generated|created|source|©|copyright|\d+ \p{L}+)(?![\p{L}.])/iu;

type Times = {
  givenAt: string | undefined;
  confirmedAt: string | null;
  signedUpAt: string | undefined;
  /** When the person last agreed, according to this line; empty if it doesn't say. */
  agreedAt: string;
};

function readTimes(cellsOf: CellsOf, dates: DateOrder): Times | { expected: string } {
  const read = (meaning: Meaning) => {
    const first = cellsOf(meaning).find(({ cell }) => !isBlank(cell) && !isNo(cell) && !isYes(cell));
    return first === undefined ? undefined : { ...first, at: toTime(first.cell, dates) };
  };
  const [given, confirmed, signedUp] = [read('consent given'), read('confirmed'), read('signed up')];
  for (const each of [given, confirmed, signedUp]) {
    if (each !== undefined && (each.at === undefined || each.at > new Date().toISOString())) {
      const { column, cell } = each;
      return { expected: `${column.name}: expected a date in the past, such as 2026-03-01, but found "${cell}"` };
    }
  }
  const now = new Date().toISOString();
  const agreed = cellsOf('agreed').map(({ cell }) => toTime(cell, dates));
  const givenAt = given?.at ?? agreed.find((at) => at !== undefined && at <= now) ?? confirmed?.at ?? signedUp?.at;
  const confirmedAt = confirmed?.at ?? null;
  const agreedAt = [givenAt ?? '', confirmedAt ?? ''].toSorted().at(-1)!;
  return { givenAt, confirmedAt, signedUpAt: signedUp?.at, agreedAt };
}

function toTime(cell: string, dates: DateOrder): string | undefined {
  const date = readDate(cell);
  if (date === undefined) return undefined;
  return 'at' in date ? date.at : (date[dates] ?? Object.values(date)[0]);
}

function isBlank(cell: string): boolean {
  return BLANK_WORDS.has(simplify(cell)) || cell.startsWith('0000-00-00');
}

function isNo(cell: string): boolean {
  return NO_WORDS.has(simplify(cell));
}

function isYes(cell: string): boolean {
  return IN_WORDS.has(simplify(cell));
}

/** @returns why somebody isn't subscribed; undefined if nothing says so */
function findReason(cellsOf: CellsOf, agreedAt: string): { why: string; hasOptedOut: boolean } | undefined {
  const status = cellsOf('status').find(({ cell }) => !isBlank(cell) && !isYes(cell));
  const declined = [...cellsOf('agreed'), ...cellsOf('confirmed')].find(
    ({ cell }) => isNo(cell) || listValues(cell).some((value) => OUT_WORDS.has(value) || OPTED_OUT_WORDS.has(value)),
  );
  const left = cellsOf('left').find(({ cell }) => {
    if (isBlank(cell) || isNo(cell) || /^(https?|mailto):/.test(cell)) return false;
    const leftAt = readDate(cell);
    // They may have subscribed again since.
    return leftAt === undefined || !('at' in leftAt) || leftAt.at >= agreedAt;
  });
  const found = status ?? declined ?? left;
  if (found === undefined) return undefined;
  return { why: `${found.column.name} is "${found.cell}"`, hasOptedOut: isOptOut(found) };
}

/** Whether a reason is that the person wants no email, rather than that they have never agreed or can't be reached. */
function isOptOut({ column, cell }: Cell): boolean {
  if (listValues(cell).some((value) => OPTED_OUT_WORDS.has(value))) return true;
  const name = simplify(column.name);
  if (column.meaning === 'left') return OPTED_OUT_NAMES.some((each) => each.test(name));
  return column.meaning === 'agreed' && /\bsubscribed\b/.test(name);
}

function toPerson(
  who: Pick<Evidence, 'email' | 'normalisedEmail'>,
  cellsOf: CellsOf,
  options: ImportOptions,
  times: Times,
): ReadLine {
  const first = (meaning: Meaning) => toLine(cellsOf(meaning).find(({ cell }) => !isBlank(cell))?.cell ?? '');
  const wording = first('consent wording') || toLine(options.wording ?? '');
  const source = first('first source') || toLine(options.source ?? '');
  const givenAt = times.givenAt || (options.date && toTime(options.date, 'day-first'));
  if (wording === '' || source === '' || !givenAt) {
    const evidence = { wording, source, date: givenAt };
    const missing = Object.entries(evidence).flatMap(([option, found]) => (found ? [] : [option as EvidenceOption]));
    return { kind: 'without evidence', missing };
  }
  const agreedAt = times.agreedAt || givenAt;
  if (agreedAt < findRetentionLimit(Date.now())) {
    const why = `they agreed on ${formatDate(agreedAt)}, and the privacy policy allows two years at most`;
    return { kind: 'out', email: who.email, why };
  }
  const notes: string[] = [];
  const fields = optionalFields((name) => {
    const { options: offered }: FieldDescription = OPTIONAL_FIELDS[name];
    const typed = first(name);
    const value = offered?.find((each) => each.toLowerCase() === typed.toLowerCase()) ?? typed;
    if (findFieldProblem(name, value) === undefined) return value;
    notes.push(`the ${name} "${typed}" isn’t one of the options, and was left empty`);
    return '';
  });
  const meant = suggestEmail(who.email);
  if (meant !== undefined) notes.push(`${who.email} may be mistyped; did they mean ${meant}?`);
  const form = SIGN_UP_FORMS.find((each) => each === first('form')) ?? null;
  const evidence = EVIDENCE.find((each) => each === first('consent evidence')) ?? null;
  const { confirmedAt, signedUpAt = givenAt } = times;
  const person = { ...who, ...fields, wording, source, form, evidence, signedUpAt, givenAt, confirmedAt };
  const updates = parseReceived(first('updates received'));
  const formerMailboxes = parseFormerMailboxes(first('former mailboxes'));
  return { kind: 'person', person: { ...person, engagedAt: agreedAt, updates, formerMailboxes }, notes };
}

const EVIDENCE = ['ticked box', 'vouched for by the sender'] as const satisfies Evidence['evidence'][];

/** Joins lines, and removes control characters: the desk's field for the sentence allows several lines. */
function toLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}
