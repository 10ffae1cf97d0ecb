import { randomUUIDv7 } from 'node:crypto';
import { insertRows } from '#receiver/store/insert-rows.ts';
import type { Store } from '#receiver/store/open-store.ts';
import type { Subscriber } from '#receiver/store/schema.ts';

/** Puts people on a list who signed up a week ago. @returns their addresses */
export async function seedSubscribers(
  store: Store,
  count: number,
  fields: Partial<Pick<Subscriber, 'role' | 'state'>> & { prefix?: string } = {},
): Promise<string[]> {
  const { prefix = 'reader', ...rest } = fields;
  const at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  const people = Array.from({ length: count }, (_, index): Subscriber => {
    const address = `${prefix}${index}@example.org`;
    return {
      id: randomUUIDv7(),
      address,
      normalised_address: address,
      role: '',
      first_source: 'Footer',
      state: 'subscribed',
      undeliverable_reason: null,
      created_at: at,
      state_changed_at: at,
      engaged_at: at,
      mail_queued_at: at,
      ...rest,
    };
  });
  for (let start = 0; start < people.length; start += 500) {
    await store.transaction((tx) => insertRows(store, tx, 'subscribers', people.slice(start, start + 500)));
  }
  return people.map(({ address }) => address);
}
