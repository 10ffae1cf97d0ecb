import { PostgresAdapter, type QueryCreator, type SelectQueryBuilder, type Transaction } from 'kysely';
import type { Schema, Subscriber } from './schema.ts';

/**
 * Whether a transaction locks the rows that it reads with `forUpdate`. SQLite allows one writer at a time, and has no
 * such locks.
 */
export function locksRows(tx: Transaction<Schema>): boolean {
  return tx.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Selects people and locks them until the commit: a delivery that is queued for them at the same time is either visible
 * here, or is queued after the commit and sees its changes.
 */
export function lockPeople(tx: Transaction<Schema>) {
  return tx
    .selectFrom('subscribers')
    .selectAll()
    .$if(locksRows(tx), (query) => query.forUpdate());
}

/** Reads the person with this mailbox, under any spelling, and locks them until the commit. */
export function lockMailbox(tx: Transaction<Schema>, mailboxHash: string): Promise<Subscriber | undefined> {
  return lockPeople(tx).where('mailbox_hash', '=', mailboxHash).executeTakeFirst();
}

/**
 * Finds the owner of a link in an email: the person with this mailbox, or else the one who had it before moving to a new
 * address.
 * @param people all columns of subscribers, locked or not
 */
export async function findByLink(
  db: QueryCreator<Schema>,
  people: SelectQueryBuilder<Schema, 'subscribers', Subscriber>,
  mailboxHash: string,
): Promise<Subscriber | undefined> {
  const person = await people.where('mailbox_hash', '=', mailboxHash).executeTakeFirst();
  if (person !== undefined) return person;
  const former = db.selectFrom('former_mailboxes').select('subscriber_id').where('mailbox_hash', '=', mailboxHash);
  return people.where('id', 'in', former).executeTakeFirst();
}
