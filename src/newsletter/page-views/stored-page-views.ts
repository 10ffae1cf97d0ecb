import { onOwnersClock } from '#shared/owners-clock.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';

/** The page views of seven days, with the ten most frequent pages and referring sites; `''` means no other site. */
export type PageViewSummary = { total: number } & Record<'pages' | 'sites', { name: string; views: number }[]>;

/** @param end when the last of the seven days ends in London, in milliseconds since 1970 (exclusive) */
export async function readPageViews({ db }: Store, end: number): Promise<PageViewSummary> {
  const last = onOwnersClock(end - 1).toPlainDate();
  const addUp = async (by: 'page' | 'site') => {
    const rows = await db
      .selectFrom('page_views')
      .select((select) => [`${by} as name`, select.fn.sum<string>('views').as('views')])
      .where('day', '>=', last.subtract({ days: 6 }).toString())
      .where('day', '<=', last.toString())
      .groupBy(by)
      .execute();
    const counted = rows.map(({ name, views }) => ({ name, views: Number(views) }));
    return counted.toSorted((one, other) => other.views - one.views || (one.name < other.name ? -1 : 1));
  };
  const [pages, sites] = [await addUp('page'), await addUp('site')];
  const total = pages.reduce((sum, { views }) => sum + views, 0);
  return { total, pages: pages.slice(0, 10), sites: sites.slice(0, 10) };
}

/** Deletes the page views of days more than two years ago. @param now milliseconds since 1970 */
export async function deleteOldPageViews(store: Store, now: number): Promise<void> {
  const oldest = toIso(now - 2 * 366 * 24 * 3600_000).slice(0, 10);
  await store.transaction((tx) => tx.deleteFrom('page_views').where('day', '<', oldest).execute());
}
