import { closeSync, openSync, writeSync } from 'node:fs';
import { OPTIONAL_FIELD_NAMES, type OptionalField } from '#shared/sign-up-fields.ts';
import type { Store } from '#store/open-store.ts';
import {
  countSubscribers,
  readAllSubscribers,
  type SubscriberState,
  type SubscriberWithConsents,
} from '#list/read-subscribers.ts';
import { csvLines, UTF8_MARK } from './csv.ts';
import { namePrivateFile } from '../command/private-file.ts';
import { type Answer, print, write, writeError } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';
import { progressBar } from '../command/progress-bar.ts';
import { writeWhole } from '../command/write-whole.ts';

export type ExportOptions = Answer & { format: 'csv' | 'json'; state: SubscriberState | 'all'; file?: string };

/** Writes people with the evidence of their consent into a file that did not exist before, or to the standard output. */
export async function exportList({ env, store }: Pick<Opened, 'env' | 'store'>, options: ExportOptions): Promise<void> {
  if (options.file === '-') {
    await writePeople(store, options, write);
    return;
  }
  const file = options.file ?? namePrivateFile(env, options.state, options.format);
  const count = await writeWhole(
    file,
    async (draft) => {
      const output = openSync(draft, 'w');
      try {
        return await writePeople(store, options, (text) => void writeSync(output, text));
      } finally {
        closeSync(output);
      }
    },
    '--file: ',
  );
  if (options.json) print({ file, people: count });
  else writeError(`${count} written to ${file}\n`);
}

type ReadCell = (person: SubscriberWithConsents) => string | null | undefined;

const OPTIONAL_CELLS = Object.fromEntries(
  OPTIONAL_FIELD_NAMES.map((name): [string, ReadCell] => [name, (person) => person[name]]),
) as Record<OptionalField, ReadCell>;

/** The columns of the CSV, by which `import` reads it. */
export const CSV_COLUMNS = {
  address: ({ address }) => address,
  state: ({ state }) => state,
  ...OPTIONAL_CELLS,
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
} as const satisfies Record<string, ReadCell>;

export type CsvColumn = keyof typeof CSV_COLUMNS;

function lastConsent(person: SubscriberWithConsents, event: string) {
  return person.consents.findLast((consent) => consent.event === event);
}

/**
 * Everybody in a state, in portions.
 * @param put is given the text, part by part
 * @returns how many people
 */
export async function writePeople(store: Store, options: ExportOptions, put: (text: string) => void): Promise<number> {
  const isJson = options.format === 'json';
  const state = options.state === 'all' ? undefined : options.state;
  const total = await countSubscribers(store.db, state);
  const bar = progressBar('Exporting', process.stderr);
  put(isJson ? '[' : UTF8_MARK + csvLines([Object.keys(CSV_COLUMNS)]));
  let done = 0;
  for await (const batch of readAllSubscribers(store.db, state)) {
    if (isJson) {
      const texts = batch.map((person) => `\n${JSON.stringify(person)}`);
      put(`${done > 0 ? ',' : ''}${texts.join(',')}`);
    } else {
      put(csvLines(batch.map((person) => Object.values(CSV_COLUMNS).map((readCell) => readCell(person)))));
    }
    done += batch.length;
    bar.show(done, total);
  }
  if (isJson) put('\n]\n');
  bar.end();
  return done;
}
