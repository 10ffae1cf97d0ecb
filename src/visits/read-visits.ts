import type { Environment } from '#shared/environment.ts';
import { onOwnersClock } from '#shared/owners-clock.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';

/** The visits that were counted in seven days. */
export type VisitSummary = VisitCount & {
  /** The most frequent first; the rest of each is one entry, `others`. */
  by: Record<VisitDimension, (VisitCount & { name: string })[]>;
  /** Why nothing was ever counted; null where something was. */
  uncounted: 'off' | 'none yet' | null;
};

export type VisitCount = { shown: number; signUps: number };

export type VisitDimension = 'page' | 'referrer' | 'campaign';

/** @param end milliseconds since 1970, not part of it; it ends the last of seven days in London */
export async function readVisits(store: Store, env: Environment, end: number): Promise<VisitSummary> {
  const last = onOwnersClock(end - 1).toPlainDate();
  // At most some thousand rows, since a day's number is bounded.
  const rows = await store.db
    .selectFrom('visits')
    .selectAll()
    .where('day', '>=', last.subtract({ days: 6 }).toString())
    .where('day', '<=', last.toString())
    .execute();
  const by = { page: rank(rows, 'page'), referrer: rank(rows, 'referrer'), campaign: rank(rows, 'campaign') };
  return { ...addUp(rows), by, uncounted: await findUncountedReason(store, env) };
}

function addUp(rows: Visits[]): VisitCount {
  const add = (count: 'shown' | 'sign_ups') => rows.reduce((sum, row) => sum + row[count], 0);
  return { shown: add('shown'), signUps: add('sign_ups') };
}

function rank(rows: Visits[], dimension: VisitDimension): (VisitCount & { name: string })[] {
  const named = [...Map.groupBy(rows, (row) => row[dimension])]
    .map(([name, own]) => ({ name, ...addUp(own) }))
    .toSorted((one, other) => other.shown - one.shown || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_NAMED);
  const names = new Set(named.map(({ name }) => name));
  const others = rows.filter((row) => !names.has(row[dimension]));
  return others.length === 0 ? named : [...named, { name: 'others', ...addUp(others) }];
}

/** A summary is read on a phone, and made-up campaigns must not fill it. */
export const MAX_NAMED = 10;

async function findUncountedReason({ db }: Store, env: Environment): Promise<VisitSummary['uncounted']> {
  if (!env.COUNT_VISITS) return 'off';
  const any = await db.selectFrom('visits').select('day').limit(1).executeTakeFirst();
  return any === undefined ? 'none yet' : null;
}
