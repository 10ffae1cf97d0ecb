import { sql, type Transaction } from 'kysely';
import type { Schema } from '#store/schema.ts';
import { hashMailbox, toMailbox } from './address.ts';

/**
 * Finds which addresses belong to a mailbox that has unsubscribed or was erased, under any spelling: neither a stranger
 * nor an imported list may subscribe these people again.
 * @param addresses normalised
 */
export async function findBlockedAddresses(
  tx: Transaction<Schema>,
  addresses: string[],
  secret: string,
): Promise<Map<string, 'unsubscribed' | 'erased'>> {
  if (addresses.length === 0) return new Map();
  const mailboxes = addresses.map(toMailbox);
  const hashes = addresses.map((address) => hashMailbox(address, secret));
  const rows = await tx
    .selectFrom('consent_records')
    .select('mailbox_hash as key')
    .where('mailbox_hash', 'in', hashes)
    .unionAll(
      tx
        .selectFrom('subscribers')
        .select('mailbox as key')
        .where('mailbox', 'in', mailboxes)
        // Written out: with a parameter SQLite would not use the index of unsubscribed people.
        .where(sql<boolean>`state = 'unsubscribed'`),
    )
    .execute();
  const found = new Set(rows.map(({ key }) => key));
  const refusals = new Map<string, 'unsubscribed' | 'erased'>();
  for (const [index, address] of addresses.entries()) {
    if (found.has(hashes[index]!)) refusals.set(address, 'erased');
    else if (found.has(mailboxes[index]!)) refusals.set(address, 'unsubscribed');
  }
  return refusals;
}
