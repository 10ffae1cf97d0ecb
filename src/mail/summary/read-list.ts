import { SUBSCRIBER_STATES, type SubscriberState } from '#list/read-subscribers.ts';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import { countListHistory, type ListSize } from './list-history.ts';

/** The numbers of the list, and how many people became undeliverable in the period. */
type ListNumbers = { people: Record<SubscriberState, number>; undeliverable: number; history: ListSize[] };

/** In milliseconds since 1970; the end is not part of it. */
export type Period = { from: number; to: number };

/**
 * Counts everybody in one pass, a thousand at a time, so that a long list holds nothing up.
 * @param now milliseconds since 1970
 */
export async function readListNumbers(store: Store, period: Period, now: number): Promise<ListNumbers> {
  const people = Object.fromEntries(SUBSCRIBER_STATES.map((state) => [state, 0])) as ListNumbers['people'];
  const history = countListHistory();
  const [from, to] = [toIso(period.from), toIso(period.to)];
  let undeliverable = 0;
  for await (const portion of readInPortions((afterId) => readPortion(store, afterId))) {
    for (const person of portion) {
      const { state, state_changed_at } = person;
      people[state] += 1;
      history.add(person);
      if (state === 'undeliverable' && state_changed_at >= from && state_changed_at < to) undeliverable += 1;
    }
  }
  return { people, undeliverable, history: history.readSizes(now) };
}

function readPortion({ db }: Store, afterId: string) {
  return db
    .selectFrom('subscribers')
    .select(['id', 'state', 'created_at', 'state_changed_at'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}
