import { appendFileSync } from 'node:fs';
import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import {
  readAllSubscribers,
  type SubscriberState,
  type SubscriberWithConsents,
} from '#newsletter/subscribers/read-subscribers.ts';
import { formatJson } from '#cli/print-list.ts';
import { namePrivateFile } from '../backup/private-file.ts';
import { answer, type Answer, write } from '#cli/print.ts';
import type { Opened } from '../open-list.ts';
import { writeNewFile } from '../backup/write-new-file.ts';
import { formatPeople } from '../format.ts';
import { csvLines, UTF8_BOM } from './csv.ts';

type ExportOptions = Answer & { format: 'csv' | 'json'; state: SubscriberState | 'all'; file?: string };

/**
 * Writes people with the evidence of their consent into a new file, or to the standard output.
 */
export async function exportList({ env, store }: Opened, options: ExportOptions): Promise<void> {
  if (options.file === '-') {
    await writePeople(store, options, write);
    return;
  }
  const file = options.file ?? namePrivateFile(env, options.state, options.format);
  const count = await writeNewFile(file, (draft) => writePeople(store, options, (text) => appendFileSync(draft, text)));
  answer(options, { file, people: count }, `${formatPeople(count)} written to ${file}\n`);
}

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
