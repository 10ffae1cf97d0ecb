import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/** What the day has counted so far, by this server or another. */
export async function readDay({ db }: Store, day: string, most: number): Promise<Visits[]> {
  return db.selectFrom('visits').selectAll().where('day', '=', day).limit(most).execute();
}

/** Counts that wait in memory until they are written. */
export type UnwrittenVisits = {
  add: (row: Visits, what: 'shown' | 'sign_ups') => void;
  /** @throws what the store throws; then everything waits on */
  write: () => Promise<void>;
};

export function unwrittenVisits(store: Store): UnwrittenVisits {
  let waiting = new Set<Visits>();
  return {
    add: (row, what) => {
      row[what] += 1;
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
        for (const [place, row] of [...rows].entries()) {
          row.shown += counts[place]!.shown;
          row.sign_ups += counts[place]!.sign_ups;
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
  const ordered = counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await store.transaction(async (tx) => {
    for (let start = 0; start < ordered.length; start += AT_ONCE) {
      await tx
        .insertInto('visits')
        .values(ordered.slice(start, start + AT_ONCE))
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

/** Days of more than two years ago are of no use, and would make the table grow for ever. */
export async function forgetDays({ db }: Store, now: number): Promise<void> {
  await db
    .deleteFrom('visits')
    .where('day', '<', iso(now - KEPT_MS).slice(0, 10))
    .execute();
}

const KEPT_MS = 2 * 366 * 24 * 3600_000;

/** Nothing that a page, a host or a campaign may hold parts these. */
export function keyOf({ day, page, referrer, campaign }: Omit<Visits, 'shown' | 'sign_ups'>): string {
  return [day, page, referrer, campaign].join('\n');
}

const AT_ONCE = 200;
