import { DELETE_PORTION, READ_PORTION, readInPortions, splitRows } from '#store/in-portions.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord } from '#store/schema.ts';
import { hashErasedAddress } from './address.ts';
import { removePeople } from './erase.ts';
import { unsubscribe } from './unsubscribe.ts';

/** The people who unsubscribed or were erased: a restored list must not bring them back. */
export type Refusals = {
  erasures: ConsentRecord[];
  unsubscribed: { normalised_address: string; state_changed_at: string }[];
};

export async function readRefusals({ db }: Store): Promise<Refusals> {
  const erasures = await db
    .selectFrom('consent_records')
    .selectAll()
    .where('address_hash', 'is not', null)
    .orderBy('at')
    .execute();
  const unsubscribed = await db
    .selectFrom('subscribers')
    .select(['normalised_address', 'state_changed_at'])
    .where('state', '=', 'unsubscribed')
    .execute();
  return { erasures, unsubscribed };
}

/**
 * Unsubscribes and erases, in a restored list, the people who unsubscribed or were erased since the backup.
 * @param now milliseconds since 1970
 * @returns how many people were unsubscribed, and how many erased, again
 */
export async function carryOver(
  store: Store,
  refusals: Refusals,
  secret: string,
  now: number,
): Promise<{ unsubscribed: number; erased: number }> {
  for (const erasure of refusals.erasures) {
    await store.db
      .insertInto('consent_records')
      .values(erasure)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  let unsubscribed = 0;
  for (const { normalised_address, state_changed_at } of refusals.unsubscribed) {
    const person = await store.db
      .selectFrom('subscribers')
      .select(['id', 'state_changed_at'])
      .where('normalised_address', '=', normalised_address)
      .where('state_changed_at', '<', state_changed_at)
      .executeTakeFirst();
    const nobody = { SHEET_URL: undefined, NOTIFY_TO: undefined };
    if (person && (await unsubscribe(store, person.id, 'left before a backup was restored', nobody, now))) {
      unsubscribed += 1;
    }
  }
  return { unsubscribed, erased: await eraseAgain(store, refusals.erasures, secret, now) };
}

/** Erases those who were erased after the sign-up that the backup holds. @returns how many */
async function eraseAgain(store: Store, erasures: ConsentRecord[], secret: string, now: number): Promise<number> {
  if (erasures.length === 0) return 0;
  // The last erasure of each.
  const erasedAt = new Map(erasures.map(({ address_hash, at }) => [address_hash, at]));
  const portions = readInPortions((afterId) =>
    store.db
      .selectFrom('subscribers')
      .select(['id', 'normalised_address', 'created_at'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_PORTION)
      .execute(),
  );
  let erased = 0;
  for await (const people of portions) {
    const found = people.filter(({ normalised_address, created_at }) => {
      const at = erasedAt.get(hashErasedAddress(normalised_address, secret));
      return at !== undefined && at > created_at;
    });
    for (const some of splitRows(found, DELETE_PORTION)) {
      await store.transaction((tx) => removePeople(tx, some, now));
      erased += some.length;
    }
  }
  return erased;
}
