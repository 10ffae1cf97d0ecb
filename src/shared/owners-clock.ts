import { Temporal } from 'temporal-polyfill';

/** The time zone in which days begin, and in which times without a time zone are meant. */
export const OWNERS_TIME_ZONE = 'Europe/London';

/** @param time milliseconds since 1970 */
export function onOwnersClock(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(OWNERS_TIME_ZONE);
}

/** When a day begins in the owner's time zone, in milliseconds since 1970. */
export function startOfDay(day: Temporal.PlainDate): number {
  return day.toZonedDateTime(OWNERS_TIME_ZONE).epochMilliseconds;
}
