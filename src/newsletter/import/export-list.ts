import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import {
  readAllSubscribers,
  type SubscriberState,
  type SubscriberWithConsents,
} from '#newsletter/subscribers/read-subscribers.ts';
import { csvLines, UTF8_BOM } from './csv.ts';

export type ExportOptions = { format: 'csv' | 'json'; state: SubscriberState | 'all' };

type ReadCell = (person: SubscriberWithConsents) => string | null | undefined;

const OPTIONAL_CELLS = OPTIONAL_FIELD_NAMES.map((name): [string, ReadCell] => [name, (person) => person[name]]);

/** The columns of the CSV, by which `import` reads it. */
const CSV_COLUMNS: Record<string, ReadCell> = {
  email: ({ email }) => email,
  state: ({ state }) => state,
  ...Object.fromEntries(OPTIONAL_CELLS),
  'first source': ({ first_source }) => first_source,
  'signed up': ({ created_at }) => created_at,
  'consent given': (person) => lastConsent(person, 'given')?.at,
  'consent wording': (person) => lastConsent(person, 'given')?.wording,
  'wording version': (person) => lastConsent(person, 'given')?.wording_version,
  form: (person) => lastConsent(person, 'given')?.form,
  'consent evidence': (person) => lastConsent(person, 'given')?.evidence,
  confirmed: (person) => lastConsent(person, 'confirmed')?.at,
  withdrawn: (person) => lastConsent(person, 'withdrawn')?.at,
  'undeliverable because': ({ undeliverable_reason }) => undeliverable_reason,
};

function lastConsent(person: SubscriberWithConsents, event: string) {
  return person.consents.findLast((consent) => consent.event === event);
}

/**
 * Writes everybody in a state, in batches.
 * @param put gets the text, part by part
 * @returns how many people
 */
export async function writePeople(store: Store, options: ExportOptions, put: (text: string) => void): Promise<number> {
  let count = 0;
  async function* readPeople() {
    for await (const batch of readAllSubscribers(store.db, options.state === 'all' ? undefined : options.state)) {
      count += batch.length;
      yield batch;
    }
  }
  const texts = options.format === 'json' ? formatJson(readPeople()) : formatCsv(readPeople());
  for await (const text of texts) put(text);
  return count;
}

async function* formatCsv(batches: AsyncIterable<SubscriberWithConsents[]>): AsyncGenerator<string> {
  yield UTF8_BOM + csvLines([Object.keys(CSV_COLUMNS)]);
  for await (const batch of batches) {
    yield csvLines(batch.map((person) => Object.values(CSV_COLUMNS).map((readCell) => readCell(person))));
  }
}

/** A list as JSON, a line for each row. */
export async function* formatJson(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield before + batch.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
