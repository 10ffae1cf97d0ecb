import { repeatInPortions, splitRows } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/** The rows that the day has so far, of this server or another. */
export async function readDay({ db }: Store, day: string, max: number): Promise<VisitRow[]> {
  return db
    .selectFrom('visits')
    .select(['day', 'page', 'referrer', 'campaign'])
    .where('day', '=', day)
    .limit(max)
    .execute();
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

/** A row of the table without its counts. */
export type VisitRow = Omit<Visits, 'shown' | 'sign_ups'>;

type Counts = Pick<Visits, 'shown' | 'sign_ups'>;

/** Keeps what was counted in memory until it is written. */
export function keepUnwritten(store: Store) {
  let unwritten = new Map<VisitRow, Counts>();
  const add = (row: VisitRow, { shown, sign_ups }: Counts) => {
    const before = unwritten.get(row) ?? { shown: 0, sign_ups: 0 };
    unwritten.set(row, { shown: before.shown + shown, sign_ups: before.sign_ups + sign_ups });
  };
  return {
    add,
    /** @throws what the store throws; then everything waits on */
    write: async () => {
      if (unwritten.size === 0) return;
      const counted = [...unwritten];
      unwritten = new Map();
      try {
        await addVisits(
          store,
          counted.map(([row, counts]) => ({ ...row, ...counts })),
        );
      } catch (error) {
        for (const [row, counts] of counted) add(row, counts);
        throw error;
      }
    },
  };
}

/** In one transaction. */
async function addVisits(store: Store, visits: Visits[]): Promise<void> {
  // Always in one order, so that two servers never wait for each other's rows.
  const ordered = visits.toSorted((one, other) => (formatKey(one) < formatKey(other) ? -1 : 1));
  await store.transaction(async (tx) => {
    for (const some of splitRows(ordered, ROWS_PER_STATEMENT)) {
      await tx
        .insertInto('visits')
        .values(some)
        .onConflict((conflict) =>
          conflict.columns(['day', 'page', 'referrer', 'campaign']).doUpdateSet((row) => ({
            shown: row('visits.shown', '+', row.ref('excluded.shown')),
            sign_ups: row('visits.sign_ups', '+', row.ref('excluded.sign_ups')),
          })),
        )
        .execute();
    }
  });
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
export function formatKey({ day, page, referrer, campaign }: VisitRow): string {
  return [day, page, referrer, campaign].join('\n');
}

const ROWS_PER_STATEMENT = 200;
