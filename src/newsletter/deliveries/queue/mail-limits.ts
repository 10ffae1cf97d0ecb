import type { QueryCreator } from 'kysely';
import { toIso } from '../../database/iso-time.ts';
import type { Schema } from '../../database/schema.ts';

/** MAIL_HOURLY_CAP, and MAIL_DAILY_CAP, which is undefined if the provider sets none. */
export type SendingCaps = { hourlyCap: number; dailyCap: number | undefined };

/** A cap that is used up. */
export type UsedUpCap = {
  /** The owner's setting, for example `MAIL_HOURLY_CAP=200`. */
  setting: string;
  period: 'hour' | 'day';
  /** When the next email may go out, in milliseconds since 1970. */
  freeAt: number;
};

/**
 * Counts the emails of the last hour, and those of the last day if there is a daily cap.
 * @param now milliseconds since 1970
 * @param isBulk for bulk email: a tenth of each cap is reserved for emails that somebody is waiting for
 * @returns the cap that is used up; undefined if none is
 */
export async function findUsedUpCap(
  db: QueryCreator<Schema>,
  { hourlyCap, dailyCap }: SendingCaps,
  now: number,
  isBulk: boolean,
): Promise<UsedUpCap | undefined> {
  const caps = [
    { setting: `MAIL_HOURLY_CAP=${hourlyCap}`, period: 'hour', max: hourlyCap },
    ...(dailyCap === undefined
      ? []
      : [{ setting: `MAIL_DAILY_CAP=${dailyCap}`, period: 'day', max: dailyCap } as const]),
  ] as const;
  for (const { setting, period, max } of caps) {
    const { count, first } = await db
      .selectFrom('sent_mails')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('taken_at').as('first')])
      .where('taken_at', '>', toIso(now - PERIOD_MS[period]))
      .executeTakeFirstOrThrow();
    if (count >= (isBulk ? toBulkCap(max) : max))
      return { setting, period, freeAt: Date.parse(first ?? toIso(now)) + PERIOD_MS[period] };
  }
  return undefined;
}

const PERIOD_MS = { hour: 3600_000, day: 24 * 3600_000 };

/** Even a small cap reserves one email an hour or day for the others, unless the cap is one. */
function toBulkCap(cap: number): number {
  return cap < 2 ? cap : cap - Math.max(1, Math.floor(cap / 10));
}

/** Estimates the minimum time that an update takes, in milliseconds. */
export function estimateSendingMs(recipients: number, { hourlyCap, dailyCap }: SendingCaps): number {
  const hours = recipients / toBulkCap(hourlyCap);
  const days = dailyCap === undefined ? 0 : recipients / toBulkCap(dailyCap);
  return Math.max(hours * PERIOD_MS.hour, days * PERIOD_MS.day);
}
