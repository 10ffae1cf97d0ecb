import { z } from 'zod';
import { findFieldProblem, OPTIONAL_FIELD_NAMES, optionalFields } from '#shared/sign-up-fields.ts';
import { normaliseAddress } from '#list/address.ts';
import type { Evidence } from '#list/import-subscribers.ts';
import { findRetentionLimit } from '#list/purge.ts';
import { SUBSCRIBER_STATES } from '#list/read-subscribers.ts';

/** The evidence of consent for lines that hold none. */
export type ImportOptions = { [option in 'wording' | 'source' | 'date']?: string | undefined };

/**
 * Reads one line of a list: as `export` writes it, or of another tool, with a column "address" or "email".
 * @returns the person, or what was expected of the line
 */
export function readPerson(cells: Record<string, string>, options: ImportOptions): Evidence | { expected: string } {
  const email = ADDRESS_COLUMNS.map((name) => cells[name]).find(Boolean) ?? '';
  const normalisedAddress = normaliseAddress(email);
  if (normalisedAddress === undefined) return { expected: 'expected an email address, such as hello@example.org' };
  const fields = optionalFields((name) => cells[name] ?? '');
  for (const name of OPTIONAL_FIELD_NAMES) {
    const expected = findFieldProblem(name, fields[name]);
    if (expected !== undefined) return { expected: `${name}: ${expected}` };
  }
  const { date, source } = options;
  // The desk's field for the sentence takes several lines.
  const lines = options.wording?.split(/[\r\n]/).map((each) => each.trim());
  const wording = lines?.filter(Boolean).join(' ');
  const forAll = { 'consent given': date, 'first source': source, 'consent wording': wording };
  const { data: line, error } = LINE.safeParse({ ...leaveOutBlank(forAll), ...leaveOutBlank(cells) });
  if (error) return { expected: `${error.issues[0]!.path.join()}: ${error.issues[0]!.message}` };
  const { confirmed, withdrawn, 'consent given': givenAt } = line;
  const engagedAt = [givenAt, confirmed ?? '', withdrawn ?? ''].toSorted().at(-1)!;
  if (engagedAt < findRetentionLimit(Date.now())) {
    return {
      expected: 'consent given: expected within the last two years; the privacy policy lets us keep nobody longer',
    };
  }
  const isUnsubscribed = withdrawn !== null && withdrawn > givenAt;
  const state = line.state ?? (isUnsubscribed ? 'unsubscribed' : 'subscribed');
  return {
    ...fields,
    email,
    normalisedAddress,
    state,
    undeliverableReason: state === 'undeliverable' ? line['undeliverable because'] : null,
    wording: line['consent wording'],
    source: line['first source'],
    form: line.form,
    evidence: line['consent evidence'],
    signedUpAt: line['signed up'] ?? givenAt,
    givenAt,
    confirmedAt: confirmed,
    withdrawnAt: withdrawn,
    engagedAt,
  };
}

/** Spaces alone are no evidence. */
function leaveOutBlank(texts: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text?.trim()));
}

export const ADDRESS_COLUMNS = ['address', 'email', 'e-mail', 'email address'];

const PAST = 'expected a date that is past, such as 2026-03-01';
const EVIDENCE = ['ticked box', 'vouched for by the sender'] as const satisfies Evidence['evidence'][];

/** A day of the calendar, or a time of it (ISO 8601); as an ISO time. */
const TIME = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], PAST)
  .refine((text) => Date.parse(text) <= Date.now(), PAST)
  .transform((text) => new Date(text).toISOString());

/** @param missing says what was expected where there is none */
function oneLine(missing?: string) {
  return z.string(missing).regex(/^\P{Cc}*$/u, 'expected one line without control characters');
}

/** The columns with the evidence of consent. */
const LINE = z.object({
  state: z.enum(SUBSCRIBER_STATES, `expected one of ${SUBSCRIBER_STATES.join(', ')}`).optional(),
  'signed up': TIME.optional(),
  'consent given': TIME,
  confirmed: TIME.nullable().default(null),
  withdrawn: TIME.nullable().default(null),
  'consent wording': oneLine('expected the sentence that the person agreed to'),
  'first source': oneLine('expected where the person signed up'),
  form: oneLine().nullable().default(null),
  'consent evidence': z
    .enum(EVIDENCE, `expected one of ${EVIDENCE.join(', ')}, or nothing`)
    .nullable()
    .default(null),
  'undeliverable because': oneLine().default('imported so'),
});
