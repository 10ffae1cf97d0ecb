import type { Environment } from '#shared/environment.ts';
import type { OptionalField } from '#shared/sign-up-fields.ts';
import { countUnsent, type Unsent } from '../queue/unsent.ts';
import { type MailTrouble, readTrouble } from '../queue/mail-trouble.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord } from '#store/schema.ts';
import { readLastPurge } from '#list/check-clock.ts';
import type { SubscriberState } from '#list/read-subscribers.ts';
import { listUpdates, readProgress, type UpdateProgress } from '../updates/update-states.ts';
import { MIN_CAMPAIGN_VISITORS } from '#visits/open-day.ts';
import { readNamedCampaigns } from '#visits/stored-visits.ts';
import { MAX_NAMED, readVisits, type VisitSummary } from '#visits/read-visits.ts';
import type { ListSize } from './list-history.ts';
import { type Joined, NO_CAMPAIGN, type Period, readListNumbers } from './read-list.ts';
import { type MachineFacts, readMachineFacts } from './machine-facts.ts';
import { addTo, type Tally } from './tally.ts';

/** How the list and its server are doing. It holds numbers, and nothing of any one person. */
export type Summary = {
  place: string;
  people: Record<SubscriberState, number>;
  /** Within the period. */
  changes: Record<'joined' | 'confirmed' | 'left' | 'undeliverable', number>;
  /** Where those who joined in the period came from, the largest first; the rest of each is one entry, `others`. */
  joinedBy: Record<'form' | 'campaign' | OptionalField, Count[]>;
  history: ListSize[];
  visits: VisitSummary;
  deliveries: Unsent;
  /** While the mail server lets nobody in or refuses every mail; undefined otherwise. */
  mailTrouble: MailTrouble | undefined;
  lastUpdate: UpdateNumbers | undefined;
  pausedUpdates: PausedUpdate[];
  /** When people were last erased by age, as an ISO time. */
  lastPurgedAt: string | undefined;
  machine: MachineFacts;
};

export type Count = { name: string; count: number };
export type UpdateNumbers = Pick<
  UpdateProgress,
  'file' | 'state' | 'recipients' | 'sent' | 'waiting' | 'failed' | 'dropped'
>;

/** An update that waits for the owner, and why. */
export type PausedUpdate = Pick<UpdateProgress, 'file' | 'state_reason'>;

export const WEEK_MS = 7 * 24 * 3600_000;

/** @param now milliseconds since 1970 */
export async function readSummary(
  sources: { store: Store; env: Environment },
  period: Period,
  now: number,
): Promise<Summary> {
  const { store, env } = sources;
  const { people, joined, undeliverable, history } = await readListNumbers(store, period, now);
  const named = await readNamedCampaigns(store, now);
  return {
    place: store.place,
    people,
    changes: {
      joined: joined.people,
      confirmed: await countEvents(store, 'confirmed', period),
      left: await countEvents(store, 'withdrawn', period),
      undeliverable,
    },
    joinedBy: rankAll({ ...joined.by, campaign: hideRareCampaigns(joined.by.campaign, named) }),
    history,
    visits: await readVisits(store, env, period.to),
    deliveries: await countUnsent(store),
    mailTrouble: await readTrouble(store.db),
    lastUpdate: await readLastUpdate(store),
    pausedUpdates: await readPausedUpdates(store),
    lastPurgedAt: await readLastPurge(store.db),
    machine: await readMachineFacts(store, env, now),
  };
}

async function countEvents({ db }: Store, event: ConsentRecord['event'], { from, to }: Period): Promise<number> {
  const { people } = await db
    .selectFrom('consent_records')
    .select((select) => select.fn.count<number>('subscriber_id').distinct().as('people'))
    .where('event', '=', event)
    .where('at', '>=', toIso(from))
    .where('at', '<', toIso(to))
    .executeTakeFirstOrThrow();
  return people;
}

/**
 * A campaign of few people may name one of them, and a summary is kept when they are erased: it counts as none.
 * @param named the campaigns of several visitors
 */
function hideRareCampaigns(campaigns: Tally, named: Set<string>): Tally {
  const kept: Tally = new Map();
  for (const [campaign, count] of campaigns) {
    addTo(kept, named.has(campaign) || count >= MIN_CAMPAIGN_VISITORS ? campaign : NO_CAMPAIGN, count);
  }
  return kept;
}

function rankAll(tallies: Joined['by']): Summary['joinedBy'] {
  return Object.fromEntries(Object.entries(tallies).map(([name, tally]) => [name, rank(tally)])) as Summary['joinedBy'];
}

/** The most frequent first; the rest is one entry, `others`. */
function rank(tally: Tally): Count[] {
  const counts = [...tally]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name));
  const others = counts.slice(MAX_NAMED).reduce((sum, { count }) => sum + count, 0);
  return others === 0 ? counts : [...counts.slice(0, MAX_NAMED), { name: 'others', count: others }];
}

async function readPausedUpdates({ db }: Store): Promise<PausedUpdate[]> {
  return db.selectFrom('updates').select(['file', 'state_reason']).where('state', '=', 'paused').execute();
}

async function readLastUpdate({ db }: Store): Promise<UpdateNumbers | undefined> {
  const [last] = await listUpdates(db);
  if (last === undefined) return undefined;
  const { file, state, recipients, sent, waiting, sending, failed, dropped } = await readProgress(db, last);
  return { file, state, recipients, sent, waiting: waiting + sending, failed, dropped };
}
