import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/**
 * The campaigns that several visitors have come by within a month; at most 1000.
 * @param now milliseconds since 1970
 */
export async function readNamedCampaigns({ db }: Store, now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('visits')
    .select('campaign')
    .distinct()
    .where('day', '>=', toIso(now - CAMPAIGN_MS).slice(0, 10))
    .where('campaign', '!=', '')
    .limit(MAX_CAMPAIGNS)
    .execute();
  return new Set(rows.map(({ campaign }) => campaign));
}

const CAMPAIGN_MS = 30 * 24 * 3600_000;
const MAX_CAMPAIGNS = 1000;

/**
 * Adds what was counted to the table. A row has counted nothing afterwards, and leaves the set.
 * @throws what the store throws; then every row keeps its counts
 */
export async function writeVisits(store: Store, unwritten: Set<Visits>): Promise<void> {
  if (unwritten.size === 0) return;
  // Always in one order, so that two servers never wait for each other's rows.
  const rows = [...unwritten].toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1));
  const counted = rows.map((row) => ({ row, visits: { ...row } }));
  await store.transaction(async (tx) => {
    for (const { visits } of counted) {
      await tx
        .insertInto('visits')
        .values(visits)
        .onConflict((conflict) =>
          conflict.columns(['day', 'page', 'referrer', 'campaign']).doUpdateSet((row) => ({
            shown: row('visits.shown', '+', row.ref('excluded.shown')),
            sign_ups: row('visits.sign_ups', '+', row.ref('excluded.sign_ups')),
          })),
        )
        .execute();
    }
  });
  for (const { row, visits } of counted) {
    // Other pages may have been shown since.
    row.shown -= visits.shown;
    row.sign_ups -= visits.sign_ups;
    if (row.shown === 0 && row.sign_ups === 0) unwritten.delete(row);
  }
}

function toKey({ day, page, referrer, campaign }: Visits): string {
  return [day, page, referrer, campaign].join('\n');
}

/**
 * Deletes days of more than two years ago: they are of no use, and the table would grow without end.
 * @param now milliseconds since 1970
 */
export async function deleteOldDays(store: Store, now: number): Promise<void> {
  const oldest = toIso(now - KEPT_MS).slice(0, 10);
  await store.transaction((tx) => tx.deleteFrom('visits').where('day', '<', oldest).execute());
}

const KEPT_MS = 2 * 366 * 24 * 3600_000;
