import type { Environment } from '#shared/environment.ts';
import type { Store } from '#store/open-store.ts';
import { toVisitDay } from './visit-day.ts';

/** The visits that were counted in a period. */
export type VisitSummary = VisitCount & {
  /** The most frequent first; the rest of each is one entry, `others`. */
  by: Record<VisitDimension, (VisitCount & { name: string })[]>;
  /** Why nothing was ever counted; null where something was. */
  uncounted: 'off' | 'own host' | 'none yet' | null;
};

export type VisitCount = { shown: number; signUps: number };

export type VisitDimension = (typeof DIMENSIONS)[number];

const DIMENSIONS = ['page', 'referrer', 'campaign'] as const;

/** @param period seven days, or less, in milliseconds since 1970; London's days that begin in it are counted */
export async function readVisits(
  store: Store,
  env: Environment,
  period: { from: number; to: number },
): Promise<VisitSummary> {
  const first = toVisitDay(period.from);
  const days = {
    from: first.from === period.from ? first.day : toVisitDay(first.to).day,
    to: toVisitDay(period.to - 1).day,
  };
  const [total = NONE] = await readSums(store, days, undefined);
  const by = { page: [], referrer: [], campaign: [] } as VisitSummary['by'];
  for (const dimension of DIMENSIONS) by[dimension] = addOthers(await readSums(store, days, dimension), total);
  return { shown: total.shown, signUps: total.signUps, by, uncounted: await findUncountedReason(store, env) };
}

const NONE = { name: '', shown: 0, signUps: 0 };

/** The largest sums of a dimension, or the one sum of everything. */
async function readSums(
  { db }: Store,
  days: { from: string; to: string },
  dimension: VisitDimension | undefined,
): Promise<(VisitCount & { name: string })[]> {
  const all = db
    .selectFrom('visits')
    .select((select) => [
      select.fn.sum<number | string | null>('shown').as('shown'),
      select.fn.sum<number | string | null>('sign_ups').as('sign_ups'),
    ])
    .where('day', '>=', days.from)
    .where('day', '<=', days.to);
  const rows =
    dimension === undefined
      ? (await all.execute()).map((row) => ({ ...row, name: '' }))
      : await all
          .select(`${dimension} as name`)
          .groupBy(dimension)
          .orderBy('shown', 'desc')
          .orderBy('name')
          .limit(MAX_NAMED)
          .execute();
  return rows.map((row) => ({ name: row.name, shown: Number(row.shown), signUps: Number(row.sign_ups) }));
}

/** A summary is read on a phone, and made-up campaigns must not fill it. */
export const MAX_NAMED = 10;

function addOthers(named: (VisitCount & { name: string })[], total: VisitCount): (VisitCount & { name: string })[] {
  const rest = named.reduce(
    (left, { shown, signUps }) => ({ shown: left.shown - shown, signUps: left.signUps - signUps }),
    total,
  );
  return rest.shown + rest.signUps > 0 ? [...named, { ...rest, name: 'others' }] : named;
}

async function findUncountedReason({ db }: Store, env: Environment): Promise<VisitSummary['uncounted']> {
  if (!env.COUNT_VISITS) return 'off';
  if (env.RECEIVER_OF !== undefined) return 'own host';
  const any = await db.selectFrom('visits').select('day').limit(1).executeTakeFirst();
  return any === undefined ? 'none yet' : null;
}
