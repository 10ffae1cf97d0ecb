import type { Kysely } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import { normaliseEmail } from '../subscribers/email.ts';
import { markUndeliverable } from './undeliverable.ts';

/** A report about somebody on the list that quotes none of our headers. Anybody could have written it. */
export type UnmatchedReport = { id: string; subscriber_id: string; email: string; reason: string; at: string };

/**
 * Keeps a report for the owner if it names an address that is on the list and was sent an email in the last month. It
 * doesn't change anybody's state by itself.
 * @param report.id identifies the report, so that it isn't shown again if it is read again
 * @param report.at when it was written, in milliseconds since 1970; people who joined later are ignored
 * @returns whether it is about somebody on the list
 */
export async function keepUnmatched(
  store: Store,
  report: { id: string; emails: string[]; reason: string; at: number },
  now: number,
): Promise<boolean> {
  const emails = report.emails.map(normaliseEmail).filter((email) => email !== undefined);
  const since = toIso(now - MONTH_MS);
  if (emails.length === 0 || report.at < now - MONTH_MS) return false;
  return store.transaction(async (tx) => {
    await tx
      .deleteFrom('unmatched_reports')
      .where('at', '<', toIso(now - 2 * MONTH_MS))
      .execute();
    const people = await tx
      .selectFrom('subscribers')
      .select('id')
      .where('normalised_email', 'in', emails)
      .where('state', '=', 'subscribed')
      .where('state_changed_at', '<=', toIso(report.at))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('subscriber_id', '=', 'subscribers.id')
            .where('kind', 'in', ['welcome', 'confirmation', 'renewal', 'update'])
            .where('deliveries.state', '=', 'sent')
            .where('finished_at', '>=', since),
        ),
      )
      .execute();
    for (const { id } of people) {
      await tx
        .insertInto('unmatched_reports')
        .values({
          id: `${report.id} ${id}`,
          subscriber_id: id,
          reason: report.reason,
          at: toIso(now),
          handled_at: null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    }
    return people.length > 0;
  });
}

/** @returns the reports that the owner hasn't decided on yet, oldest first */
export function listUnmatched(db: Kysely<Schema>): Promise<UnmatchedReport[]> {
  return db
    .selectFrom('unmatched_reports')
    .innerJoin('subscribers', 'subscribers.id', 'subscriber_id')
    .select(['unmatched_reports.id', 'subscriber_id', 'email', 'reason', 'at'])
    .where('handled_at', 'is', null)
    .where('subscribers.state', '=', 'subscribed')
    .orderBy('at')
    .limit(MAX_LISTED)
    .execute();
}

/**
 * Applies the owner's decision about a report.
 * @param choice `mark` the person as undeliverable, or `ignore` the report
 * @returns the person's email address; undefined if the report had already been decided on
 */
export async function decideUnmatched(
  store: Store,
  id: string,
  choice: 'mark' | 'ignore',
  now: number,
): Promise<string | undefined> {
  return store.transaction(async (tx) => {
    const report = await tx
      .updateTable('unmatched_reports')
      .set({ handled_at: toIso(now) })
      .where('id', '=', id)
      .where('handled_at', 'is', null)
      .returning(['subscriber_id', 'reason'])
      .executeTakeFirst();
    if (report === undefined) return undefined;
    if (choice === 'mark') await markUndeliverable(tx, report.subscriber_id, report.reason, now);
    const person = tx.selectFrom('subscribers').select('email').where('id', '=', report.subscriber_id);
    return (await person.executeTakeFirst())?.email;
  });
}

const MONTH_MS = 30 * 24 * 3600_000;
const MAX_LISTED = 100;
