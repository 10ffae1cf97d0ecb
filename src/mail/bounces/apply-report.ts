import type { Transaction } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';
import type { FollowUps } from '#list/follow-ups.ts';
import { markUndeliverable } from '#list/undeliverable.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { readToken } from '#list/tokens.ts';
import type { Report } from './read-report.ts';

/**
 * Does what a report asks for: who cannot be reached is undeliverable, who complains is unsubscribed.
 * @param options.reportId the same when the same report is read twice
 * @param options.now milliseconds since 1970
 * @returns whether the report was about a delivery of ours
 */
export async function applyReport(
  store: Store,
  report: Report,
  options: { reportId: string; secret: string; followUps: FollowUps; now: number },
): Promise<boolean> {
  const { reportId, secret, followUps, now } = options;
  if (report.kind === 'unsubscribe') {
    const subscriberId = readToken('unsubscribe', report.token, secret)?.subscriberId;
    if (subscriberId === undefined) return false;
    await unsubscribe(store, subscriberId, 'mail to the List-Unsubscribe address', followUps, now);
    return true;
  }
  const delivery = await store.db
    .selectFrom('deliveries')
    .select('subscriber_id')
    .where('id', '=', report.deliveryId)
    .executeTakeFirst();
  const subscriberId = delivery?.subscriber_id;
  if (!subscriberId) return false;
  const { kind, reason } = report;
  if (kind === 'complaint') await unsubscribe(store, subscriberId, reason, followUps, now);
  else {
    await store.transaction(async (tx) => {
      if (kind === 'permanent') await markUndeliverable(tx, subscriberId, reason, now);
      else if (await isThird(tx, subscriberId, reportId, now)) {
        await markUndeliverable(tx, subscriberId, `${TOO_MANY} times within 30 days: ${reason}`, now);
      }
    });
  }
  return true;
}

/** Mailboxes are full and servers are down for a while; three times a month they are gone. */
const TOO_MANY = 3;
const WINDOW_MS = 30 * 24 * 3600_000;

/** Notes a temporary failure. @returns whether it is one too many */
async function isThird(tx: Transaction<Schema>, subscriberId: string, reportId: string, now: number): Promise<boolean> {
  await tx
    .insertInto('bounces')
    .values({ id: reportId, subscriber_id: subscriberId, at: iso(now) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { count } = await tx
    .selectFrom('bounces')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('subscriber_id', '=', subscriberId)
    .where('at', '>', iso(now - WINDOW_MS))
    .executeTakeFirstOrThrow();
  return Number(count) >= TOO_MANY;
}
