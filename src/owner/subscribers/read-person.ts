import { z } from 'zod';
import { findFieldProblem, OPTIONAL_FIELD_NAMES, optionalFields } from '#shared/sign-up-fields.ts';
import { normaliseAddress } from '#list/address.ts';
import type { Evidence } from '#list/import-subscribers.ts';
import { SUBSCRIBER_STATES } from '#list/read-subscribers.ts';

/** The evidence of consent for people whose lines hold none. */
export type ImportOptions = { wording?: string; source?: string; date?: string };

/**
 * Reads one line of a list: as `export` writes it, or of another tool, with a column "address" or "email".
 * @param limits.oldest the earliest engagement that may be kept, as an ISO time
 * @returns the person, or what was expected of the line
 */
export function readPerson(
  cells: Record<string, string>,
  options: ImportOptions,
  limits: { now: number; oldest: string },
): Evidence | { expected: string } {
  const cell = (name: string) => cells[name] || undefined;
  const email = ADDRESS_COLUMNS.map(cell).find((value) => value !== undefined) ?? '';
  const normalisedAddress = normaliseAddress(email);
  if (normalisedAddress === undefined) return { expected: 'expected an email address' };
  const fields = optionalFields((name) => cells[name] ?? '');
  for (const name of OPTIONAL_FIELD_NAMES) {
    const expected = findFieldProblem(name, fields[name]);
    if (expected !== undefined) return { expected: `${name}: ${expected}` };
  }
  const times = readTimes(cells, options.date, limits.now);
  if ('expected' in times) return times;
  const isUnsubscribed = times.withdrawnAt !== null && times.withdrawnAt > times.givenAt;
  const named = cell('state') ?? (isUnsubscribed ? 'unsubscribed' : 'subscribed');
  const state = SUBSCRIBER_STATES.find((each) => each === named);
  if (state === undefined) return { expected: `state: expected one of ${SUBSCRIBER_STATES.join(', ')}` };
  const controlled = TEXT_COLUMNS.find((column) => CONTROL.test(cells[column] ?? ''));
  if (controlled !== undefined) return { expected: `${controlled}: expected one line without control characters` };
  const evidence = EVIDENCE.find((each) => each === cell('consent evidence')) ?? null;
  if (evidence === null && cell('consent evidence') !== undefined) {
    return { expected: `consent evidence: expected one of ${EVIDENCE.join(', ')}, or nothing` };
  }
  const wording = cell('consent wording') ?? options.wording;
  if (wording === undefined) return { expected: 'consent wording: expected the sentence that the person agreed to' };
  const source = cell('first source') ?? options.source;
  if (source === undefined) return { expected: 'first source: expected where the person signed up' };
  if (times.engagedAt < limits.oldest) {
    return {
      expected: 'consent given: expected within the last two years; the privacy policy lets us keep nobody longer',
    };
  }
  return {
    ...fields,
    ...times,
    email,
    normalisedAddress,
    state,
    wording,
    source,
    evidence,
    form: cell('form') ?? null,
    undeliverableReason: state === 'undeliverable' ? (cell('undeliverable because') ?? 'imported so') : null,
  };
}

const TEXT_COLUMNS = ['consent wording', 'first source', 'form', 'undeliverable because'];
const CONTROL = /\p{Cc}/u;

const EVIDENCE = ['ticked box', 'vouched for by the sender'] as const satisfies Evidence['evidence'][];

export const ADDRESS_COLUMNS = ['address', 'email', 'e-mail', 'email address'];

type Times = Pick<Evidence, 'signedUpAt' | 'givenAt' | 'confirmedAt' | 'withdrawnAt' | 'engagedAt'>;

function readTimes(cells: Record<string, string>, date: string | undefined, now: number): Times | { expected: string } {
  const given = cells['consent given'] || date;
  const times = {
    'consent given': readTime(given, now),
    'signed up': readTime(cells['signed up'] || given, now),
    confirmed: readTime(cells.confirmed, now),
    withdrawn: readTime(cells.withdrawn, now),
  };
  const wrong = Object.entries(times).find(([, time]) => time === undefined);
  if (wrong !== undefined) return { expected: `${wrong[0]}: expected a date that is past, such as 2026-03-01` };
  const { 'consent given': givenAt, 'signed up': signedUpAt, confirmed = null, withdrawn = null } = times;
  if (!givenAt || !signedUpAt) return { expected: 'consent given: expected a date' };
  const engagedAt = [givenAt, confirmed ?? '', withdrawn ?? ''].toSorted().at(-1)!;
  return { givenAt, signedUpAt, confirmedAt: confirmed, withdrawnAt: withdrawn, engagedAt };
}

/** A day of the calendar, or a time of it (ISO 8601). */
const DATE = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** @returns an ISO time; null for none; undefined for what is no date, or one in the future */
function readTime(text: string | undefined, now: number): string | null | undefined {
  if (!text) return null;
  if (!DATE.safeParse(text).success) return undefined;
  const time = Date.parse(text);
  return time > now ? undefined : new Date(time).toISOString();
}
