import { repeatInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/** The rows that the day has so far, of this server or another. */
export async function readDay({ db }: Store, day: string, max: number): Promise<Visits[]> {
  return db.selectFrom('visits').selectAll().where('day', '=', day).limit(max).execute();
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
    .where('day', '>=', iso(now - CAMPAIGN_MS).slice(0, 10))
    .where('campaign', '!=', '')
    .limit(MAX_CAMPAIGNS)
    .execute();
  return new Set(rows.map(({ campaign }) => campaign));
}

const CAMPAIGN_MS = 30 * 24 * 3600_000;
const MAX_CAMPAIGNS = 1000;

/** Counts that wait in memory until they are written. */
export type UnwrittenVisits = {
  add: (row: Visits, count: 'shown' | 'sign_ups') => void;
  /** @throws what the store throws; then everything waits on */
  write: () => Promise<void>;
};

export function unwrittenVisits(store: Store): UnwrittenVisits {
  let waiting = new Set<Visits>();
  return {
    add: (row, count) => {
      row[count] += 1;
      waiting.add(row);
    },
    write: async () => {
      if (waiting.size === 0) return;
      const rows = waiting;
      const counts = [...rows].map((row) => ({ ...row }));
      waiting = new Set();
      for (const row of rows) Object.assign(row, { shown: 0, sign_ups: 0 });
      try {
        await addVisits(store, counts);
      } catch (error) {
        for (const [index, row] of [...rows].entries()) {
          row.shown += counts[index]!.shown;
          row.sign_ups += counts[index]!.sign_ups;
          waiting.add(row);
        }
        throw error;
      }
    },
  };
}

/** In one transaction. */
async function addVisits(store: Store, counts: Visits[]): Promise<void> {
  // Always in one order, so that two servers never wait for each other's rows.
  const ordered = counts.toSorted((one, other) => (formatKey(one) < formatKey(other) ? -1 : 1));
  await store.transaction(async (tx) => {
    for (let start = 0; start < ordered.length; start += ROWS_PER_STATEMENT) {
      await tx
        .insertInto('visits')
        .values(ordered.slice(start, start + ROWS_PER_STATEMENT))
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
export async function forgetDays(store: Store, now: number): Promise<void> {
  const keptSince = iso(now - KEPT_MS).slice(0, 10);
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
