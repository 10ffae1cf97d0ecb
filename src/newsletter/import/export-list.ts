import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import {
  readAllSubscribers,
  type SubscriberState,
  type SubscriberWithConsents,
} from '#newsletter/subscribers/read-subscribers.ts';
import { formatLines, UTF8_BOM } from './csv.ts';

export type ExportOptions = { format: 'csv' | 'json'; state: SubscriberState | 'all' };

type ExportedPerson = SubscriberWithConsents & { updates_received: string; former_mailboxes: string };

type ReadCell = (person: ExportedPerson) => string | null | undefined;

const OPTIONAL_CELLS = OPTIONAL_FIELD_NAMES.map((name): [string, ReadCell] => [name, (person) => person[name]]);

/** The columns of the CSV file, which `import` recognises by name. */
const CSV_COLUMNS: Record<string, ReadCell> = {
  email: ({ email }) => email,
  state: ({ state }) => state,
  ...Object.fromEntries(OPTIONAL_CELLS),
  'first source': ({ first_source }) => first_source,
  'signed up': ({ created_at }) => created_at,
  'consent given': (person) => findLastConsent(person, 'given')?.at,
  'consent wording': (person) => findLastConsent(person, 'given')?.wording,
  'wording version': (person) => findLastConsent(person, 'given')?.wording_version,
  form: (person) => findLastConsent(person, 'given')?.form,
  'consent evidence': (person) => findLastConsent(person, 'given')?.evidence,
  confirmed: (person) => findLastConsent(person, 'confirmed')?.at,
  withdrawn: (person) => findLastConsent(person, 'withdrawn')?.at,
  'undeliverable because': ({ undeliverable_reason }) => undeliverable_reason,
  'updates received': ({ updates_received }) => updates_received,
  'former mailboxes': ({ former_mailboxes }) => former_mailboxes,
};

function findLastConsent(person: SubscriberWithConsents, event: string) {
  return person.consents.findLast((consent) => consent.event === event);
}

/**
 * Writes everybody who is in the given state, in batches.
 * @param put receives the text in pieces; the next piece is read once its promise has settled
 * @returns how many people were written
 */
export async function writePeople(
  store: Store,
  options: ExportOptions,
  put: (text: string) => void | Promise<void>,
): Promise<number> {
  let count = 0;
  async function* readPeople() {
    for await (const batch of readAllSubscribers(store.db, options.state === 'all' ? undefined : options.state)) {
      count += batch.length;
      yield addReceived(store, batch);
    }
  }
  const texts = options.format === 'json' ? formatJson(readPeople()) : formatCsv(readPeople());
  for await (const text of texts) await put(text);
  return count;
}

/**
 * Adds which updates people have received, and with which text, so that nobody gets them again after the list is moved;
 * and the hashes of mailboxes that they have moved from, so that an older file doesn't add them a second time.
 */
async function addReceived({ db }: Store, people: SubscriberWithConsents[]): Promise<ExportedPerson[]> {
  const ids = people.map(({ id }) => id);
  const sent = await db
    .selectFrom('deliveries')
    .innerJoin('updates', 'updates.id', 'deliveries.update_id')
    .select(['deliveries.subscriber_id', 'updates.file', 'updates.text_hash'])
    .where('deliveries.subscriber_id', 'in', ids)
    .where('deliveries.state', '=', 'sent')
    .execute();
  const earlier = await db
    .selectFrom('update_readers')
    .select(['subscriber_id', 'file', 'text_hash'])
    .where('subscriber_id', 'in', ids)
    .execute();
  const received = Map.groupBy([...sent, ...earlier], (had) => had.subscriber_id);
  const moves = await db
    .selectFrom('former_mailboxes')
    .select(['subscriber_id', 'mailbox_hash'])
    .where('subscriber_id', 'in', ids)
    .execute();
  const former = Map.groupBy(moves, (move) => move.subscriber_id);
  return people.map((person) => ({
    ...person,
    updates_received: (received.get(person.id) ?? []).map((had) => `${had.file}#${had.text_hash}`).join('; '),
    former_mailboxes: (former.get(person.id) ?? []).map((move) => move.mailbox_hash).join('; '),
  }));
}

/** Reads the updates that somebody has received according to our export, and ignores anything else. */
export function parseReceived(cell: string): { file: string; text_hash: string }[] {
  return cell.split('; ').flatMap((each) => {
    const [, file, text_hash] = /^(.{1,200})#([\da-f]{16})$/.exec(each) ?? [];
    return file === undefined || text_hash === undefined ? [] : [{ file, text_hash }];
  });
}

/** Reads the hashes of mailboxes that somebody has moved from. They are of use only with the same signing secret. */
export function parseFormerMailboxes(cell: string): string[] {
  return cell.split('; ').filter((each) => /^[\w-]{43}$/.test(each));
}

async function* formatCsv(batches: AsyncIterable<ExportedPerson[]>): AsyncGenerator<string> {
  yield UTF8_BOM + formatLines([Object.keys(CSV_COLUMNS)]);
  for await (const batch of batches) {
    yield formatLines(batch.map((person) => Object.values(CSV_COLUMNS).map((readCell) => readCell(person))));
  }
}

/** Formats a list as JSON, one row per line. */
export async function* formatJson(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield before + batch.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
