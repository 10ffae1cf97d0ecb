import { OPTIONAL_FIELD_NAMES, type OptionalField } from '#shared/sign-up-fields.ts';
import { countByState, countPeople, type SubscriberState } from '#list/read-subscribers.ts';
import { splitSource } from '#shared/newsletter.ts';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';
import { withoutPeople } from '#visits/visit-origin.ts';
import { type ListSize, readListHistory } from './list-history.ts';

/** The numbers of the list, and how many people joined in the period or became undeliverable in it. */
export type ListNumbers = {
  people: Record<SubscriberState, number>;
  joined: Joined;
  undeliverable: number;
  history: ListSize[];
};

/** How many people joined, and how many of them had each value. */
export type Joined = { people: number; by: Record<'form' | 'campaign' | OptionalField, Tally> };

/** How often each value came. */
export type Tally = Map<string, number>;

export function addTo(tally: Tally, value: string, count = 1): void {
  tally.set(value, (tally.get(value) ?? 0) + count);
}

/** In milliseconds since 1970; the end is not part of it. */
export type Period = { from: number; to: number };

/** @param now milliseconds since 1970 */
export async function readListNumbers(store: Store, period: Period, now: number): Promise<ListNumbers> {
  const [from, to] = [iso(period.from), iso(period.to)];
  const joined: Joined = { people: 0, by: createTallies() };
  for await (const portion of readInPortions((afterId) => readJoined(store, from, to, afterId))) {
    for (const person of portion) addPerson(joined, person);
  }
  const undeliverable = store.db
    .selectFrom('subscribers')
    .where('state', '=', 'undeliverable')
    .where('state_changed_at', '>=', from)
    .where('state_changed_at', '<', to);
  return {
    people: await countByState(store.db),
    joined,
    undeliverable: await countPeople(undeliverable),
    history: await readListHistory(store.db, now),
  };
}

function createTallies(): Joined['by'] {
  const names = ['form', 'campaign', ...OPTIONAL_FIELD_NAMES] as const;
  return Object.fromEntries(names.map((name) => [name, new Map()])) as Joined['by'];
}

function addPerson(joined: Joined, person: Pick<Subscriber, 'first_source' | OptionalField>): void {
  joined.people += 1;
  const { form, campaign } = splitSource(person.first_source);
  addTo(joined.by.form, form);
  addTo(joined.by.campaign, withoutPeople(campaign) || NO_CAMPAIGN);
  for (const name of OPTIONAL_FIELD_NAMES) addTo(joined.by[name], person[name] || 'not given');
}

export const NO_CAMPAIGN = 'none';

function readJoined({ db }: Store, from: string, to: string, afterId: string) {
  return db
    .selectFrom('subscribers')
    .select(['id', 'first_source', ...OPTIONAL_FIELD_NAMES])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}
