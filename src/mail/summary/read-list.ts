import { OPTIONAL_FIELD_NAMES, type OptionalField } from '#shared/sign-up-fields.ts';
import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';
import { countListHistory, type ListSize } from './list-history.ts';

/** The numbers of the list, and the people who joined in the period or became undeliverable in it. */
export type ListNumbers = {
  people: Record<SubscriberState, number>;
  joined: Joined[];
  undeliverable: number;
  history: ListSize[];
};

export type Joined = Pick<Subscriber, 'first_source' | OptionalField>;

/** In milliseconds since 1970; the end is not part of it. */
export type Period = { from: number; to: number };

/**
 * Counts everybody in one pass by the thousand, so that a long list holds nothing up.
 * @param now milliseconds since 1970
 */
export async function readListNumbers(store: Store, period: Period, now: number): Promise<ListNumbers> {
  const people = Object.fromEntries(SUBSCRIBER_STATES.map((state) => [state, 0])) as ListNumbers['people'];
  const history = countListHistory();
  const [from, to] = [iso(period.from), iso(period.to)];
  const isInPeriod = (time: string) => time >= from && time < to;
  const joined: Joined[] = [];
  let undeliverable = 0;
  for await (const portion of readInPortions((afterId) => readPortion(store, afterId))) {
    for (const person of portion) {
      people[person.state] += 1;
      history.add(person);
      if (isInPeriod(person.created_at)) joined.push(person);
      if (person.state === 'undeliverable' && isInPeriod(person.state_changed_at)) undeliverable += 1;
    }
  }
  return { people, joined, undeliverable, history: history.readSizes(now) };
}

function readPortion({ db }: Store, afterId: string) {
  return db
    .selectFrom('subscribers')
    .select(['id', 'state', 'created_at', 'state_changed_at', 'first_source', ...OPTIONAL_FIELD_NAMES])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}
