import { randomUUIDv7 } from 'node:crypto';
import { hashMailbox } from '#newsletter/subscribers/email.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Subscriber } from '#newsletter/database/schema.ts';

/**
 * Adds people to a list.
 * @param fields.engagedDaysAgo how long ago they signed up, a week by default
 * @param fields.prefix what their addresses begin with
 * @param fields.domain of their addresses, example.org by default
 * @param fields.secret keys their mailbox hashes: the server's secret if a test uses their links
 * @returns their addresses
 */
export async function seedSubscribers(
  store: Store,
  count: number,
  fields: Partial<Pick<Subscriber, 'role' | 'state'>> & {
    prefix?: string;
    domain?: string;
    engagedDaysAgo?: number;
    secret?: string;
  } = {},
): Promise<string[]> {
  const { prefix = 'reader', domain = 'example.org', engagedDaysAgo = 7, secret = 'of no server', ...rest } = fields;
  const at = toIso(Date.now() - engagedDaysAgo * 24 * 3_600_000);
  const people = Array.from({ length: count }, (_, index): Subscriber => {
    const email = `${prefix}${index}@${domain}`;
    return {
      id: randomUUIDv7(),
      email,
      normalised_email: email,
      mailbox_hash: hashMailbox(email, secret),
      ...optionalFields(() => ''),
      first_source: 'Footer',
      state: 'subscribed',
      undeliverable_reason: null,
      created_at: at,
      state_changed_at: at,
      engaged_at: at,
      confirmation_queued_at: null,
      ...rest,
    };
  });
  for (let start = 0; start < people.length; start += 500) {
    await store.transaction((tx) =>
      tx
        .insertInto('subscribers')
        .values(people.slice(start, start + 500))
        .execute(),
    );
  }
  return people.map(({ email }) => email);
}
