import type { Environment } from '#shared/environment.ts';
import { OPTIONAL_FIELD_NAMES, OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { readFollowUps } from '#list/follow-ups.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';
import { erase, findErasure, type Leftover } from '#list/erase.ts';
import { findSubscriber, readAllSubscribers, readSubscriber, type SubscriberState } from '#list/read-subscribers.ts';
import { restore, restoreSince } from '#list/undeliverable.ts';
import { parseSendTime } from '#mail/updates/send-time.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { deliveryTable } from './deliveries.ts';
import { type Answer, forPeople, print, write } from '../command/print.ts';
import { mapPortions, printList, writeTable } from '../command/print-list.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

export async function list(store: Store, { json, state }: Answer & { state?: SubscriberState }): Promise<void> {
  const people = readAllSubscribers(store.db, state);
  if (json) return printList(people);
  await writeTable(
    ['Address', 'State', 'Role', 'Signed up', 'Source', ...(state === 'undeliverable' ? ['Reason'] : [])],
    mapPortions(people, ({ address, state: current, role, created_at, first_source, undeliverable_reason }) => [
      address,
      current,
      role || '-',
      forPeople(created_at),
      first_source,
      undeliverable_reason ?? '',
    ]),
  );
}

export async function show({ store, secret }: Opened, address: string, { json }: Answer): Promise<void> {
  const person = await readSubscriber(store.db, address);
  if (person === undefined) {
    const erasedAt = await findErasure(store.db, address, secret);
    throw new Error(erasedAt ? `Erased on ${forPeople(erasedAt)}; nothing else is kept.` : UNKNOWN);
  }
  if (json) return print(person);
  write(
    table(
      ['Address', person.address],
      [
        ['Normalised', person.normalised_address],
        ['State', person.state],
        ...(person.undeliverable_reason ? [['Reason', person.undeliverable_reason]] : []),
        ...OPTIONAL_FIELD_NAMES.map((name) => [OPTIONAL_FIELDS[name].label, person[name] || '-']),
        ['First source', person.first_source],
        ['Signed up', forPeople(person.created_at)],
        ['State since', forPeople(person.state_changed_at)],
        ['Last engagement', forPeople(person.engaged_at)],
      ],
    ),
  );
  write('\nConsent\n');
  write(
    table(
      ['When', 'What', 'Form', 'Source', 'Wording'],
      person.consents.map(({ at, event, evidence, form, source, wording, wording_version }) => [
        forPeople(at),
        evidence === null ? event : `${event} (${evidence})`,
        form ?? '-',
        source,
        wording ? `${wording} (${wording_version})` : '-',
      ]),
    ),
  );
  write('\nDeliveries\n');
  write(deliveryTable(person.deliveries));
}

const UNKNOWN = 'Nobody with this address is known.';

async function find(store: Store, address: string): Promise<Subscriber> {
  const person = await findSubscriber(store.db, address);
  if (person === undefined) throw new Error(UNKNOWN);
  return person;
}

export async function unsubscribeOne({ env, store }: Opened, address: string, { json }: Answer): Promise<void> {
  const person = await find(store, address);
  const changed = await unsubscribe(store, person.id, 'command', readFollowUps(env), Date.now());
  if (json) return print({ unsubscribed: true, changed });
  write(changed ? 'Unsubscribed.\n' : 'Was unsubscribed already.\n');
}

async function restoreOne({ store }: Opened, address: string, { json }: Answer): Promise<void> {
  const person = await find(store, address);
  if (!(await store.transaction((tx) => restore(tx, person.id, Date.now())))) {
    throw new Error(`Expected an undeliverable person; this one is ${person.state}.`);
  }
  if (json) return print({ restored: true });
  write('Restored: mail goes to this address again.\n');
}

/** The people of one address, or all who were marked since a time. */
export async function restorePeople(
  opened: Opened,
  address: string | undefined,
  { since, ...answer }: Answer & { since?: string },
): Promise<void> {
  if ((address === undefined) === (since === undefined)) {
    throw new Error('restore: expected either an address, or --since with a time such as 2026-12-01T09:00');
  }
  return since === undefined ? restoreOne(opened, address!, answer) : restoreAll(opened, since, answer);
}

async function restoreAll({ store }: Opened, since: string, { json }: Answer): Promise<void> {
  const now = Date.now();
  const from = parseSendTime(since, undefined, '--since');
  if (from > now) throw new Error(`--since: expected a time that has passed, but found "${since}"`);
  const count = await restoreSince(store, from, now);
  if (json) return print({ restored: count });
  write(
    count === 0
      ? 'Nobody was marked undeliverable since then.\n'
      : `Restored: mail goes to ${count} ${count === 1 ? 'person' : 'people'} again.\n`,
  );
}

export async function eraseOne(opened: Opened, address: string, { json }: Answer): Promise<void> {
  const { env, store, secret, mailFiles } = opened;
  const erasedBefore = await findErasure(store.db, address, secret);
  const { isFound, left } = await erase(store, address, { secret, mailFiles, now: Date.now() });
  if (!isFound && erasedBefore === undefined) throw new Error(UNKNOWN);
  if (json) print({ erased: isFound, left });
  else if (isFound) write(`Erased from the database. ${describeRest(env)}\n`);
  else write(`Erased on ${forPeople(erasedBefore ?? '')}.\n`);
  if (left.length > 0) throw new Error(describeLeftovers(left));
}

/** Copies that outlive the erasure from the database. */
function describeRest(env: Environment): string {
  const sheet = env.SHEET_URL ? 'The running server tells the sheet. ' : '';
  return `${sheet}Notices in your own mailbox and older backups are yours to delete.`;
}

/** Says in a sentence each which copies were not erased yet, and what to do. */
export function describeLeftovers(left: Leftover[]): string {
  return left.map((each) => LEFT[each]).join('\n');
}

const LEFT: Record<Leftover, string> = {
  journal:
    'Not yet erased from the database’s journal, which another program is using. Run the same command again; if that does not help, close the other program first.',
  outbox:
    'Not yet erased from the outbox: a file cannot be removed. Check who owns the folder, then run the same command again.',
};
