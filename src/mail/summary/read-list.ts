import { OPTIONAL_FIELD_NAMES, type OptionalField } from '#shared/sign-up-fields.ts';
import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { splitSource } from '#shared/newsletter.ts';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';
import { stripAddresses } from '#visits/visit-origin.ts';
import { addToHistory, readSizes } from './list-history.ts';
import { addTo, type Tally } from './tally.ts';

/** How many people joined, and how many of them had each value. */
export type Joined = { people: number; by: Record<'form' | 'campaign' | OptionalField, Tally> };

/** In milliseconds since 1970; the end is not part of it. */
export type Period = { from: number; to: number };

/**
 * Counts everybody in one pass, a thousand at a time, so that a long list holds nothing up.
 * @param now milliseconds since 1970
 * @returns the numbers of the list, and how many people joined in the period or became undeliverable in it
 */
export async function readListNumbers(store: Store, period: Period, now: number) {
  const people = Object.fromEntries(SUBSCRIBER_STATES.map((state) => [state, 0])) as Record<SubscriberState, number>;
  const changes: Tally = new Map();
  const [from, to] = [toIso(period.from), toIso(period.to)];
  const isInPeriod = (time: string) => time >= from && time < to;
  const joined: Joined = { people: 0, by: createTallies() };
  let undeliverable = 0;
  for await (const portion of readInPortions((afterId) => readPortion(store, afterId))) {
    for (const person of portion) {
      people[person.state] += 1;
      addToHistory(changes, person);
      if (isInPeriod(person.created_at)) addPerson(joined, person);
      if (person.state === 'undeliverable' && isInPeriod(person.state_changed_at)) undeliverable += 1;
    }
  }
  return { people, joined, undeliverable, history: readSizes(changes, now) };
}

function createTallies(): Joined['by'] {
  const names = ['form', 'campaign', ...OPTIONAL_FIELD_NAMES] as const;
  return Object.fromEntries(names.map((name) => [name, new Map()])) as Joined['by'];
}

function addPerson(joined: Joined, person: Pick<Subscriber, 'first_source' | OptionalField>): void {
  joined.people += 1;
  const { form, campaign } = splitSource(person.first_source);
  addTo(joined.by.form, form);
  addTo(joined.by.campaign, stripAddresses(campaign) || NO_CAMPAIGN);
  for (const name of OPTIONAL_FIELD_NAMES) addTo(joined.by[name], person[name] || 'not given');
}

export const NO_CAMPAIGN = 'none';

function readPortion({ db }: Store, afterId: string) {
  return db
    .selectFrom('subscribers')
    .select(['id', 'state', 'created_at', 'state_changed_at', 'first_source', ...OPTIONAL_FIELD_NAMES])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}
