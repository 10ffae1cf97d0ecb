import type { QueryCreator } from 'kysely';
import { toIso } from '#store/iso-time.ts';
import { keepMetadata, readMetadata } from '#store/metadata.ts';
import { queueAlert } from '#store/new-delivery.ts';
import { listKinds } from '#store/delivery-kinds.ts';
import type { Store } from '#store/open-store.ts';
import type { DeliveryKind, Schema } from '#store/schema.ts';
import { OPEN_DESK } from '../templates/notices.ts';

/** MAIL_HOURLY_CAP and MAIL_DAILY_CAP, which is undefined where the provider sets none. */
export type SendingCaps = { hourlyCap: number; dailyCap: number | undefined };

/** A limit that is used up until `freeAt`, in milliseconds since 1970. */
type UsedUp = Limit & { freeAt: number };

type Limit = {
  /** The owner's setting, for example `MAIL_HOURLY_CAP=200`. */
  setting: string;
  period: 'hour' | 'day';
  max: number;
  /** The kinds that count and wait. */
  kinds: DeliveryKind[];
  isFlood?: boolean;
};

/**
 * Counts the mails of the last hour, and of the last day where there is a cap for it.
 * @param now milliseconds since 1970
 * @returns finds the limit for which mails of a kind wait; undefined where they need not
 */
export async function readLimits(
  db: QueryCreator<Schema>,
  caps: SendingCaps,
  now: number,
): Promise<(kind: DeliveryKind) => UsedUp | undefined> {
  const taken = {
    hour: await readTaken(db, now - PERIOD_MS.hour, now),
    day: caps.dailyCap === undefined ? [] : await readTaken(db, now - PERIOD_MS.day, now),
  };
  const usedUp = listLimits(caps).flatMap((limit): UsedUp[] => {
    const counted = taken[limit.period].filter(({ kind }) => limit.kinds.includes(kind));
    if (counted.reduce((total, { count }) => total + count, 0) < limit.max) return [];
    const first = Math.min(...counted.map((row) => Date.parse(row.first)));
    return [{ ...limit, freeAt: first + PERIOD_MS[limit.period] }];
  });
  return (kind) => usedUp.find(({ kinds }) => kinds.includes(kind));
}

/** The kinds that the caps count. */
export const MAIL_KINDS = listKinds(({ recipient }) => recipient !== 'sheet');

const PERIOD_MS = { hour: 3600_000, day: 24 * 3600_000 };

function listLimits({ hourlyCap, dailyCap }: SendingCaps): Limit[] {
  const hourly = { setting: `MAIL_HOURLY_CAP=${hourlyCap}`, period: 'hour' } as const;
  return [
    { ...hourly, max: hourlyCap, kinds: MAIL_KINDS },
    ...(dailyCap === undefined
      ? []
      : [{ setting: `MAIL_DAILY_CAP=${dailyCap}`, period: 'day', max: dailyCap, kinds: MAIL_KINDS } as const]),
    { ...hourly, max: countForUpdates(hourlyCap), kinds: ['update'] },
    // More than a third of the hour's mails is taken as somebody filling in strangers' addresses. With a small cap a
    // few sign-ups are no flood.
    { ...hourly, max: Math.max(3, Math.floor(hourlyCap / 3)), kinds: ['welcome', 'confirmation'], isFlood: true },
  ];
}

/** How many mails of updates may leave in an hour: a fifth is left to mails that answer a person or warn the owner. */
function countForUpdates(hourlyCap: number): number {
  return hourlyCap - Math.floor(hourlyCap / 5);
}

/** The mails that began since then, by kind. */
function readTaken(db: QueryCreator<Schema>, since: number, now: number) {
  return db
    .selectFrom('sent_mails')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count'), fn.min('taken_at').as('first')])
    .where('taken_at', '>', toIso(since))
    .where('taken_at', '<', latestCredible(now))
    .groupBy('kind')
    .execute();
}

/** Times after this were written under a wrong clock; servers that share a database may differ by a minute. */
export function latestCredible(now: number): string {
  return toIso(now + 60_000);
}

/** How long an update takes at least, in milliseconds. */
export function sendingTimeMs(recipients: number, { hourlyCap, dailyCap }: SendingCaps): number {
  const hours = recipients / countForUpdates(hourlyCap);
  const days = dailyCap === undefined ? 0 : recipients / dailyCap;
  return Math.max(hours * PERIOD_MS.hour, days * PERIOD_MS.day);
}

/** Warns the owner, once a day at most, that somebody fills in strangers' addresses. */
export async function alertOfFlood(store: Store, now: number): Promise<void> {
  const last = await readMetadata(store.db, FLOOD);
  if (last !== undefined && Math.abs(now - Date.parse(last)) < PERIOD_MS.day) return;
  await store.transaction(async (tx) => {
    // Another server may have warned at this moment: the row's lock lets one of them through.
    await keepMetadata(tx, FLOOD, '');
    const { numUpdatedRows } = await tx
      .updateTable('metadata')
      .set({ value: toIso(now) })
      .where('name', '=', FLOOD)
      .where('value', '=', last ?? '')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await queueAlert(tx, { subject: 'Unusually many sign-ups', text: FLOOD_TEXT }, now);
  });
}

const FLOOD = 'flood-of-sign-ups';
const FLOOD_TEXT = `More than a third of the last hour’s emails (MAIL_HOURLY_CAP) answered sign-ups. Somebody may be filling in other people’s addresses. The remaining emails wait, and go out over the next hours.

To see who signed up, ${OPEN_DESK}.
`;
