import type { Environment } from '#settings/environment.ts';
import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import type { Erasure, Subscriber } from '#newsletter/database/schema.ts';
import { toOutboxPath } from '#newsletter/database/outbox.ts';
import { erase, FILES_REMAIN, findErasure } from '#newsletter/subscribers/erase.ts';
import {
  findSubscriber,
  readAllSubscribers,
  readSubscriber,
  type SubscriberState,
} from '#newsletter/subscribers/read-subscribers.ts';
import { restore } from '#newsletter/bounces/undeliverable.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { toDeliveryCells } from './delivery-commands.ts';
import { printList } from './print-list.ts';
import { printResult, type JsonOption, formatRows, formatTime, write } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';

export async function list(
  { store }: Opened,
  { json, state }: JsonOption & { state?: SubscriberState },
): Promise<void> {
  await printList(readAllSubscribers(store.db, state), {
    json,
    toCells: ({ email, state: current, role, created_at, first_source, undeliverable_reason }) => [
      email,
      current,
      role,
      formatTime(created_at),
      first_source,
      ...(undeliverable_reason === null ? [] : [undeliverable_reason]),
    ],
    empty: 'No people found.\n',
  });
}

export async function show({ store, secret }: Opened, email: string, options: JsonOption): Promise<void> {
  const found = await findSubscriber(store.db, email, secret);
  const person = found && (await readSubscriber(store.db, found));
  if (person === undefined) {
    const erasure = await findErasure(store.db, email, secret);
    throw new Error(erasure === undefined ? UNKNOWN : describeErasure(erasure));
  }
  const consents = person.consents.map(({ at, event, evidence, form, source, wording }) => [
    formatTime(at),
    evidence === null ? event : `${event} (${evidence})`,
    form ?? '',
    source,
    wording ?? '',
  ]);
  const facts = [
    ['Email', person.email],
    ['State', person.state],
    ...(person.undeliverable_reason ? [['Reason', person.undeliverable_reason]] : []),
    ...OPTIONAL_FIELD_NAMES.map((name) => [OPTIONAL_FIELDS[name].label, person[name]]),
    ['First source', person.first_source],
    ['Signed up', formatTime(person.created_at)],
    ['State since', formatTime(person.state_changed_at)],
    ['Last engagement', formatTime(person.engaged_at)],
  ];
  const bounces = person.bounces.map(({ at, fault }) => [formatTime(at), 'bounced', fault]);
  const updates = person.updates.map(({ send_at, subject }) => [formatTime(send_at), 'received the update', subject]);
  const tables = [facts, consents, updates, bounces, person.deliveries.map(toDeliveryCells)];
  printResult(
    options,
    person,
    tables
      .filter((rows) => rows.length > 0)
      .map(formatRows)
      .join('\n'),
  );
}

function describeErasure({ at, why }: Pick<Erasure, 'at' | 'why'>): string {
  return why === 'left'
    ? `They have unsubscribed; only that has been stored since ${formatTime(at)}.`
    : `Erased on ${formatTime(at)}; nothing else is stored.`;
}

const UNKNOWN = 'Nobody with this email address is on the list.';

async function find({ store, secret }: Opened, email: string): Promise<Subscriber> {
  const person = await findSubscriber(store.db, email, secret);
  if (person === undefined) throw new Error(UNKNOWN);
  return person;
}

export async function unsubscribeOne(opened: Opened, email: string): Promise<void> {
  const person = await find(opened, email);
  const changed = await unsubscribe(opened.store, person.id, 'command', opened.env, Date.now());
  write(changed ? 'Unsubscribed.\n' : 'Already unsubscribed.\n');
}

export async function restoreOne(opened: Opened, email: string): Promise<void> {
  const person = await find(opened, email);
  if (!(await opened.store.transaction((tx) => restore(tx, person.id, Date.now())))) {
    throw new Error(`Expected an undeliverable person; this one is ${person.state}.`);
  }
  write('Restored: they will get email again.\n');
}

export async function eraseOne(opened: Opened, email: string): Promise<void> {
  const { env, store, secret } = opened;
  const erasedBefore = await findErasure(store.db, email, secret);
  const { isFound, filesRemain } = await erase(store, email, { secret, outbox: toOutboxPath(env), now: Date.now() });
  if (!isFound && erasedBefore === undefined) throw new Error(UNKNOWN);
  const message = isFound ? `Erased from the database. ${describeRest(env)}` : describeErasure(erasedBefore!);
  write(`${message}\n`);
  if (filesRemain) throw new Error(FILES_REMAIN);
}

/** Describes the copies outside the database. */
function describeRest(env: Environment): string {
  const sheet = env.SHEET_URL ? 'The running server erases the rows in the sheet. ' : '';
  const bytes =
    env.DATABASE_URL === undefined
      ? 'Remaining copies in the database file are overwritten within a minute after the last program stops reading it, or at 3 a.m. London time if it is larger than 64 MB. '
      : '';
  return `${sheet}${bytes}Delete the notices in your own mailbox and copies of backups yourself.`;
}
