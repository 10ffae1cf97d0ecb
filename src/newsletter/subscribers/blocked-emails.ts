import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { hashMailbox } from './email.ts';

/**
 * Finds the email addresses whose mailbox has unsubscribed or was erased, under any spelling: an import must not
 * subscribe these people again.
 * @param emails normalised
 */
export async function findBlockedEmails(
  tx: Transaction<Schema>,
  addresses: string[],
  secret: string,
): Promise<Map<string, 'unsubscribed' | 'erased'>> {
  if (addresses.length === 0) return new Map();
  const hashes = new Map(addresses.map((email) => [email, hashMailbox(email, secret)]));
  const wanted = [...hashes.values()];
  const erased = await tx.selectFrom('erasures').select('mailbox_hash').where('mailbox_hash', 'in', wanted).execute();
  const unsubscribed = await tx
    .selectFrom('subscribers')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', wanted)
    .where('state', '=', 'unsubscribed')
    .execute();
  const reasons = new Map([
    ...unsubscribed.map(({ mailbox_hash: hash }) => [hash, 'unsubscribed'] as const),
    ...erased.map(({ mailbox_hash: hash }) => [hash, 'erased'] as const),
  ]);
  return new Map(
    addresses.flatMap((email) => {
      const reason = reasons.get(hashes.get(email) ?? '');
      return reason === undefined ? [] : [[email, reason] as const];
    }),
  );
}
