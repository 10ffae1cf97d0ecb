import type { Kysely } from 'kysely';
import { erasedAddressHash } from './address-hashes.ts';
import { iso } from '#store/iso-time.ts';
import type { MailFiles } from '#store/outbox.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, Subscriber } from '#store/schema.ts';
import { type Leftover, lockPerson, removePerson, removeTraces } from './erase.ts';

export type PurgeReason =
  | 'two years without engagement'
  | 'not confirmed within 30 days'
  | 'erased before, brought back by an import';

export type Leaving = { subscriber: Subscriber; reason: PurgeReason };

/** Who would go now, and why that needs the owner's word. */
export type PurgePlan = {
  leaving: Leaving[];
  /** When a purge was last made, as an ISO time; undefined before the first. */
  lastPurgedAt: string | undefined;
  /** Why nobody goes by the clock before the owner confirms the number; undefined when nothing is unusual. */
  doubt: string | undefined;
};

/** @param now milliseconds since 1970 */
export async function planPurge(store: Store, secret: string, now: number): Promise<PurgePlan> {
  const leaving = await findLeaving(store.db, secret, now);
  const lastPurgedAt = await readLastPurge(store.db);
  return { leaving, lastPurgedAt, doubt: await findDoubt(store.db, leaving, lastPurgedAt, now) };
}

/**
 * Erases people whose retention period is over. A clock that is wrong must not erase the list: where it leapt, or where
 * many would go at once, nobody goes by the clock before the owner has confirmed how many.
 * @param options.confirmed how many the owner wants to go, when she has been asked
 * @param options.onProgress called with how many of how many have gone
 * @returns who went and why, or the doubt that kept everybody
 * @throws when another number would go than the one confirmed
 */
export async function purge(
  store: Store,
  options: {
    secret: string;
    mailFiles: MailFiles;
    now: number;
    confirmed?: number | undefined;
    onProgress?: (done: number, total: number) => void;
  },
): Promise<{ gone: Leaving[]; doubt?: string; left: Leftover[] }> {
  const { secret, mailFiles, now, confirmed } = options;
  const { leaving, doubt } = await planPurge(store, secret, now);
  if (confirmed !== undefined && confirmed !== leaving.length) {
    throw new Error(`--confirm: expected ${leaving.length}, the number of people who would go now`);
  }
  const isHeld = doubt !== undefined && confirmed === undefined;
  const going = isHeld ? leaving.filter((each) => !isByClock(each)) : leaving;
  const gone: Leaving[] = [];
  const deliveryIds: string[] = [];
  for (const each of going) {
    const removed = await removeUnlessBack(store, each.subscriber, now);
    if (removed !== undefined) gone.push(each);
    deliveryIds.push(...(removed ?? []));
    options.onProgress?.(gone.length, going.length);
  }
  if (!isHeld) await recordPurge(store, now);
  const left = await removeTraces(store, mailFiles, deliveryIds);
  return { gone, left, ...(isHeld && { doubt }) };
}

/** What the owner is asked when something is unusual. */
export function askFor(doubt: string, leaving: number): string {
  return `Please confirm, since ${doubt}. If the clock is right and they should go: subscribers purge --confirm ${leaving}`;
}

/** Erases at once whoever was erased before and is back without having signed up again since. */
export async function eraseBroughtBack(store: Store, secret: string, now: number): Promise<number> {
  const people = await findBroughtBack(store.db, secret);
  for (const person of people) await removeUnlessBack(store, person, now);
  return people.length;
}

/** The privacy policy: two years from the last engagement, calendar years. */
const KEEP_YEARS = 2;
const CONFIRM_WITHIN_MS = 30 * 24 * 3600_000;

/** The latest time of engagement that is too old to keep, as an ISO time. */
export function retentionLimit(now: number): string {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - KEEP_YEARS);
  return limit.toISOString();
}

async function findLeaving(db: Kysely<Schema>, secret: string, now: number): Promise<Leaving[]> {
  const people = () => db.selectFrom('subscribers').selectAll().orderBy('engaged_at');
  const stale = await people().where('engaged_at', '<', retentionLimit(now)).execute();
  const unconfirmed = await people()
    .where('state', '=', 'pending')
    .where('engaged_at', '<', iso(now - CONFIRM_WITHIN_MS))
    .execute();
  const broughtBack = await findBroughtBack(db, secret);

  const leaving = new Map<string, Leaving>();
  const add = (subscribers: Subscriber[], reason: PurgeReason) => {
    for (const subscriber of subscribers) leaving.set(subscriber.id, { subscriber, reason });
  };
  add(stale, 'two years without engagement');
  add(unconfirmed, 'not confirmed within 30 days');
  add(broughtBack, 'erased before, brought back by an import');
  return [...leaving.values()];
}

/** Erased people who are back without having signed up again since. */
async function findBroughtBack(db: Kysely<Schema>, secret: string): Promise<Subscriber[]> {
  const erasures = await db
    .selectFrom('consent_records')
    .select((select) => ['address_hash', select.fn.max('at').as('at')])
    .where('address_hash', 'is not', null)
    .groupBy('address_hash')
    .execute();
  if (erasures.length === 0) return [];
  const erasedAt = new Map(erasures.map((row) => [row.address_hash, row.at]));
  const people = await db
    .selectFrom('subscribers')
    .leftJoin('consent_records', (join) =>
      join.onRef('consent_records.subscriber_id', '=', 'subscribers.id').on('consent_records.event', '=', 'given'),
    )
    .selectAll('subscribers')
    .select((select) => select.fn.max('consent_records.at').as('consented_at'))
    .groupBy('subscribers.id')
    .execute();
  return people.flatMap(({ consented_at, ...subscriber }) => {
    const at = erasedAt.get(erasedAddressHash(subscriber.normalised_address, secret));
    return at !== undefined && (consented_at === null || consented_at < at) ? [subscriber] : [];
  });
}

/** More than a tenth of the list and more than five people at once, or a month since the last purge, is unusual. */
const USUAL_PEOPLE = 5;
const USUAL_SHARE = 0.1;
const USUAL_PAUSE_DAYS = 31;

async function findDoubt(
  db: Kysely<Schema>,
  leaving: Leaving[],
  lastPurgedAt: string | undefined,
  now: number,
): Promise<string | undefined> {
  const byClock = leaving.filter(isByClock).length;
  if (byClock === 0) return undefined;
  const { total, newest } = await db
    .selectFrom('subscribers')
    .select((select) => [select.fn.countAll<number | string>().as('total'), select.fn.max('engaged_at').as('newest')])
    .executeTakeFirstOrThrow();
  // Before the first purge, the newest sign of life tells what the clock has shown.
  const days = Math.floor((now - Date.parse(lastPurgedAt ?? newest)) / DAY_MS);
  if (days > USUAL_PAUSE_DAYS) {
    const since = lastPurgedAt === undefined ? 'the newest sign-up' : 'the last purge';
    return `the clock stands ${days} days after ${since}, and ${byClock} of ${Number(total)} people would go`;
  }
  // A flood of sign-ups that nobody confirms is not the list, and must not hold up what is due.
  const listed = leaving.filter(({ reason }) => reason === 'two years without engagement').length;
  if (listed > USUAL_PEOPLE && listed > Number(total) * USUAL_SHARE) {
    return `${listed} of ${Number(total)} people would go at once`;
  }
  return undefined;
}

/** Whether a wrong clock could be the cause. */
function isByClock({ reason }: Leaving): boolean {
  return reason !== 'erased before, brought back by an import';
}

const DAY_MS = 24 * 3600_000;

/** @returns the ids of the person's deliveries, or undefined when they have done something meanwhile */
async function removeUnlessBack(store: Store, known: Subscriber, now: number): Promise<string[] | undefined> {
  return store.transaction(async (tx) => {
    const current = await lockPerson(store, tx).where('id', '=', known.id).executeTakeFirst();
    if (current?.engaged_at !== known.engaged_at || current.state !== known.state) return undefined;
    return removePerson(tx, known.id, now);
  });
}

const LAST_PURGE = 'last-purge';

async function readLastPurge(db: Kysely<Schema>): Promise<string | undefined> {
  const fact = await db.selectFrom('metadata').select('value').where('name', '=', LAST_PURGE).executeTakeFirst();
  return fact?.value;
}

async function recordPurge(store: Store, now: number): Promise<void> {
  await store.transaction((tx) =>
    tx
      .insertInto('metadata')
      .values({ name: LAST_PURGE, value: iso(now) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: iso(now) }))
      .execute(),
  );
}
