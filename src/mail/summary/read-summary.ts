import type { Environment } from '#shared/environment.ts';
import { countUnsent, type Unsent } from '../queue/unsent.ts';
import { type MailTrouble, readTrouble } from '../queue/mail-trouble.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord } from '#store/schema.ts';
import { type PurgePlan, planPurge } from '#list/purge.ts';
import type { SubscriberState } from '#list/read-subscribers.ts';
import { listUpdates, readProgress, type UpdateProgress } from '../updates/update-states.ts';
import { readNamedCampaigns } from '#visits/stored-visits.ts';
import { readVisits, type VisitSummary } from '#visits/read-visits.ts';
import { countJoined, type JoinedBy, readJoined } from './joined-by.ts';
import type { ListSize } from './list-history.ts';
import { type Period, readListNumbers } from './read-list.ts';
import { type MachineFacts, readMachineFacts } from './machine-facts.ts';

/** How the list and its server are doing. It holds numbers, and nothing of any one person. */
export type Summary = {
  place: string;
  /** In milliseconds since 1970; the end is not part of it. */
  period: Period;
  people: Record<SubscriberState, number>;
  /** Within the period. */
  changes: Record<'joined' | 'confirmed' | 'left' | 'undeliverable', number>;
  /** Of those who joined in the period. */
  joinedBy: JoinedBy;
  history: ListSize[];
  visits: VisitSummary;
  deliveries: Unsent;
  /** While the mail server lets nobody in or refuses every mail; undefined otherwise. */
  mailTrouble: MailTrouble | undefined;
  lastUpdate: UpdateNumbers | undefined;
  pausedUpdates: PausedUpdate[];
  retention: { lastPurgedAt: string | undefined; leaving: number; doubt: PurgePlan['doubt'] };
  machine: MachineFacts;
};

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
  const { people, undeliverable, history } = await readListNumbers(store, period, now);
  const joined = await readJoined(store, period);
  const named = await readNamedCampaigns(store, now);
  const { leaving, lastPurgedAt, doubt } = await planPurge(store, now);
  return {
    place: store.place,
    period,
    people,
    changes: {
      joined: joined.length,
      confirmed: await countEvents(store, 'confirmed', period),
      left: await countEvents(store, 'withdrawn', period),
      undeliverable,
    },
    joinedBy: countJoined(joined, named),
    history,
    visits: await readVisits(store, env, period),
    deliveries: await countUnsent(store),
    mailTrouble: await readTrouble(store.db),
    lastUpdate: await readLastUpdate(store),
    pausedUpdates: await readPausedUpdates(store),
    retention: { lastPurgedAt, leaving, doubt },
    machine: await readMachineFacts(store, env, now),
  };
}

async function countEvents({ db }: Store, event: ConsentRecord['event'], { from, to }: Period): Promise<number> {
  const { people } = await db
    .selectFrom('consent_records')
    .select((select) => select.fn.count<number | string>('subscriber_id').distinct().as('people'))
    .where('event', '=', event)
    .where('at', '>=', toIso(from))
    .where('at', '<', toIso(to))
    .executeTakeFirstOrThrow();
  return Number(people);
}

async function readPausedUpdates({ db }: Store): Promise<PausedUpdate[]> {
  return db.selectFrom('updates').select(['file', 'state_reason']).where('state', '=', 'paused').execute();
}

async function readLastUpdate({ db }: Store): Promise<UpdateNumbers | undefined> {
  const [last] = await listUpdates(db);
  if (last === undefined) return undefined;
  const { file, state, recipients, sent, waiting, failed, dropped } = await readProgress(db, last);
  return { file, state, recipients, sent, waiting, failed, dropped };
}
