import type { Transaction } from 'kysely';
import type { AddressChange, Schema } from '../database/schema.ts';
import { markErasure } from '../retention/erased-bytes.ts';

/**
 * Forgets the new address of a person, or that of a mailbox: it was taken, isn't wanted, or its time is over. An email
 * with its link that is still waiting is dropped when it is due.
 * @param which the column to match and its value
 * @param now milliseconds since 1970
 * @returns whether there was one
 */
export async function dropNewAddress(
  tx: Transaction<Schema>,
  which: Pick<AddressChange, 'subscriber_id'> | Pick<AddressChange, 'mailbox_hash'>,
  now: number,
): Promise<boolean> {
  const dropped = await tx
    .deleteFrom('address_changes')
    .where((eb) => eb.and(which))
    .returning('subscriber_id')
    .execute();
  if (dropped.length > 0) await markErasure(tx, now);
  return dropped.length > 0;
}
