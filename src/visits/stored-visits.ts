import { repeatInPortions, splitRows } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/** The rows that the day has so far, of this server or another, with nothing counted yet by this one. */
export async function readDay({ db }: Store, day: string, max: number): Promise<Visits[]> {
  const rows = await db.selectFrom('visits').selectAll().where('day', '=', day).limit(max).execute();
  return rows.map((row) => ({ ...row, shown: 0, sign_ups: 0 }));
}

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
 * Adds what was counted to the table, in one transaction. A row has counted nothing afterwards, and leaves the set.
 * @throws what the store throws; then every row keeps its counts
 */
export async function writeVisits(store: Store, unwritten: Set<Visits>): Promise<void> {
  if (unwritten.size === 0) return;
  // Always in one order, so that two servers never wait for each other's rows.
  const rows = [...unwritten].toSorted((one, other) => (formatKey(one) < formatKey(other) ? -1 : 1));
  const counted = rows.map((row) => ({ row, visits: { ...row } }));
  await store.transaction(async (tx) => {
    for (const some of splitRows(counted, ROWS_PER_STATEMENT)) {
      await tx
        .insertInto('visits')
        .values(some.map(({ visits }) => visits))
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

/**
 * Deletes days of more than two years ago, one at a time: they are of no use, and would make the table grow for ever.
 * To be called only when nothing speaks against the clock.
 * @param now milliseconds since 1970
 */
export async function deleteOldDays(store: Store, now: number): Promise<void> {
  const keptSince = toIso(now - KEPT_MS).slice(0, 10);
  await repeatInPortions(async () => {
    const oldest = await store.db.selectFrom('visits').select('day').orderBy('day').limit(1).executeTakeFirst();
    if (oldest === undefined || oldest.day >= keptSince) return 0;
    const deletion = await store.statement((db) =>
      db.deleteFrom('visits').where('day', '=', oldest.day).executeTakeFirst(),
    );
    return Number(deletion.numDeletedRows);
  });
}

const KEPT_MS = 2 * 366 * 24 * 3600_000;

/** No page, host or campaign holds a line break, so two different rows have different keys. */
export function formatKey({ day, page, referrer, campaign }: Omit<Visits, 'shown' | 'sign_ups'>): string {
  return [day, page, referrer, campaign].join('\n');
}

const ROWS_PER_STATEMENT = 200;
