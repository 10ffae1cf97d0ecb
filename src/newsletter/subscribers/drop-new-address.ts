import type { Transaction } from 'kysely';
import type { AddressChange, Schema } from '../database/schema.ts';
import { markErasure } from '../retention/erased-bytes.ts';

/**
 * Deletes a new address that is waiting to be confirmed, by its person or its mailbox: it has been confirmed, isn't
 * wanted, or has expired. If the email with its link is still waiting, it is dropped when it is due.
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
