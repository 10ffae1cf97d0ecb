import type { ExpressionBuilder, Kysely } from 'kysely';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { repeatInBatches } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import { findByLink, lockPeople } from '../database/lock-rows.ts';
import { writeMetadata } from '../database/metadata.ts';
import { createDelivery } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Delivery, Schema } from '../database/schema.ts';

/** How long people have to reply, in milliseconds. */
export const RENEWAL_MS = 30 * 24 * 3600_000;

/** As the privacy policy promises: two calendar years from the last engagement. */
const KEEP_YEARS = 2;

/** Finds the ISO time before which the last engagement is too long ago. */
export function findRetentionLimit(now: number): string {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - KEEP_YEARS);
  return limit.toISOString();
}

/**
 * Asks everybody whose two years end within thirty days whether they still want updates: once, and again a month later
 * if no mail server accepted the email.
 * @param now milliseconds since 1970
 * @returns how many people were asked
 */
export function queueRenewals(store: Store, now: number): Promise<number> {
  return repeatInBatches(() =>
    store.transaction(async (tx) => {
      // The row's lock lets only one server at a time ask.
      await writeMetadata(tx, 'renewals-queued', toIso(now));
      const people = await tx
        .selectFrom('subscribers')
        .select('id')
        .where('state', '=', 'subscribed')
        .where('engaged_at', '<', findRetentionLimit(now + RENEWAL_MS))
        .where((eb) =>
          eb.not(
            eb.exists(
              selectRenewals(eb).where((renewal) =>
                renewal.or([
                  renewal('deliveries.state', 'in', ['waiting', 'sending', 'sent']),
                  renewal.and([
                    renewal('deliveries.state', '=', 'failed'),
                    renewal('deliveries.finished_at', '>', toIso(now - RENEWAL_MS)),
                  ]),
                ]),
              ),
            ),
          ),
        )
        .orderBy('engaged_at')
        .limit(BATCH)
        .execute();
      const deliveries = people.map(({ id }) => createDelivery('renewal', id, {}, now));
      if (deliveries.length > 0) await tx.insertInto('deliveries').values(deliveries).execute();
      return people.length;
    }),
  );
}

const BATCH = 250;

/** Whether a mail server accepted a person's renewal email thirty days ago or earlier, and they haven't replied. */
export function hasNotAnswered(eb: ExpressionBuilder<Schema, 'subscribers'>, now: number) {
  return eb.exists(
    selectRenewals(eb)
      .where('deliveries.state', '=', 'sent')
      .where('deliveries.finished_at', '<=', toIso(now - RENEWAL_MS)),
  );
}

/** Selects the renewal emails that were queued for a person since they last did something. */
function selectRenewals(eb: ExpressionBuilder<Schema, 'subscribers'>) {
  return eb
    .selectFrom('deliveries')
    .select('deliveries.id')
    .where('deliveries.kind', '=', 'renewal')
    .whereRef('deliveries.subscriber_id', '=', 'subscribers.id')
    .whereRef('deliveries.queued_at', '>=', 'subscribers.engaged_at');
}

/**
 * Keeps the person who is subscribed with this mailbox for two more years, even if they have since moved to a new
 * address.
 * @param now milliseconds since 1970
 * @returns false if there is no such person
 */
export function renew(store: Store, mailboxHash: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await findByLink(tx, lockPeople(tx), mailboxHash);
    if (person?.state !== 'subscribed') return false;
    await tx
      .updateTable('subscribers')
      .set({ engaged_at: toIso(now) })
      .where('id', '=', person.id)
      .execute();
    return true;
  });
}

/** Whether the person to whom a renewal link belongs is subscribed. */
export async function isRenewable({ db }: Store, mailboxHash: string): Promise<boolean> {
  return (await findByLink(db, db.selectFrom('subscribers').selectAll(), mailboxHash))?.state === 'subscribed';
}

/** People who were asked and haven't replied, and the ISO time from which they will be erased, if it is known. */
export type UpcomingErasures = { people: number; firstAt: string | undefined };

/** Reads what Today and the weekly email say about upcoming erasures. */
export async function readUpcomingErasures(db: Kysely<Schema>): Promise<UpcomingErasures> {
  const { people, firstSentAt } = await db
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select(({ fn, eb }) => [
      fn.count<number>('subscribers.id').distinct().as('people'),
      fn
        .min<string | null>(
          eb.case().when('deliveries.state', '=', 'sent').then(eb.ref('deliveries.finished_at')).end(),
        )
        .as('firstSentAt'),
    ])
    .where('deliveries.kind', '=', 'renewal')
    .where('deliveries.state', 'in', ASKED)
    .where('subscribers.state', '=', 'subscribed')
    .whereRef('deliveries.queued_at', '>=', 'subscribers.engaged_at')
    .executeTakeFirstOrThrow();
  return { people, firstAt: firstSentAt === null ? undefined : toIso(Date.parse(firstSentAt) + RENEWAL_MS) };
}

const ASKED: Delivery['state'][] = ['waiting', 'sending', 'sent'];

/** @returns a sentence for the owner, or undefined if nobody was asked */
export function describeUpcomingErasures({ people, firstAt }: UpcomingErasures): string | undefined {
  if (people === 0) return undefined;
  const asked = people === 1 ? '1 person was' : `${people} people were`;
  const when =
    firstAt === undefined
      ? 'thirty days after that email'
      : `from ${onOwnersClock(Date.parse(firstAt)).toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}`;
  return `${asked} asked whether they still want your updates. Anybody who doesn’t reply will be erased ${when}.`;
}
