import { readPageViews, type PageViewSummary } from '../page-views/stored-page-views.ts';
import { countByState, countPeople, type SubscriberState } from '../subscribers/read-subscribers.ts';
import { describeUpcomingErasures, readUpcomingErasures } from '../retention/renewals.ts';
import { describeDecoys } from '../subscribers/decoys.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import { listUpdates, readProgress, type UpdateProgress } from '../updates/update-progress.ts';

/**
 * How the list is doing. `people` are the current numbers; the rest is for one week. Updates that haven't ended are
 * included.
 */
export type WeekReport = {
  people: Record<SubscriberState, number>;
  changes: Record<'joined' | 'left' | 'unreachable', number>;
  /** A sentence about people who are to be erased and have been asked whether to stay; undefined if there are none. */
  erasures: string | undefined;
  /** A sentence about sign-ups that were treated as bots; undefined if there were none. */
  decoys: string | undefined;
  pageViews: PageViewSummary;
  updates: Pick<UpdateProgress, 'subject' | 'state' | 'recipients' | 'sent' | 'failed'>[];
};

/** In milliseconds since 1970; the end is exclusive. */
export type Period = { from: number; to: number };

export const WEEK_MS = 7 * 24 * 3600_000;

/** @param period whole days in London, or the seven days until now */
export async function readWeek(store: Store, period: Period): Promise<WeekReport> {
  const [from, until] = [toIso(period.from), toIso(period.to)];
  const people = store.db.selectFrom('subscribers');
  const changed = await countByState(
    people.where('state_changed_at', '>=', from).where('state_changed_at', '<', until),
  );
  const updates = (await listUpdates(store.db)).filter(({ finished_at: end }) => !end || (end >= from && end < until));
  return {
    people: await countByState(people),
    changes: {
      joined: await countPeople(people.where('created_at', '>=', from).where('created_at', '<', until)),
      left: changed.unsubscribed,
      unreachable: changed.undeliverable,
    },
    erasures: describeUpcomingErasures(await readUpcomingErasures(store.db)),
    decoys: await describeDecoys(store.db, period.to),
    pageViews: await readPageViews(store, period.to),
    updates: await Promise.all(updates.map((update) => readProgress(store.db, update))),
  };
}

/** Describes the report in pairs of labels and values. */
export function describeReport({
  people,
  changes,
  erasures,
  decoys,
  pageViews,
  updates,
}: WeekReport): [label: string, value: string][] {
  return [
    ['Subscribed', String(people.subscribed)],
    ['Not confirmed', String(people.pending)],
    ['New in seven days', String(changes.joined)],
    ['Unsubscribed in seven days', String(changes.left)],
    ['Became undeliverable in seven days', String(changes.unreachable)],
    ...(erasures === undefined ? [] : [['Soon to be erased', erasures] as [string, string]]),
    ...(decoys === undefined ? [] : [['Taken for robots', decoys] as [string, string]]),
    ['Page views in seven days', String(pageViews.total)],
    ...pageViews.sites.map(({ name, views }): [string, string] => [`From ${name || 'no other site'}`, String(views)]),
    ...updates.map(({ subject, state, recipients, sent, failed }): [string, string] => [
      `Update “${subject}”`,
      `${state}; ${sent} of ${recipients} sent${failed === 0 ? '' : `, ${failed} failed`}`,
    ]),
  ];
}
