import { Temporal } from 'temporal-polyfill';
import { OWNERS_TIME_ZONE } from '../updates/send-time.ts';

/** A day on the owner's calendar, such as `2026-11-22`; its bounds in milliseconds since 1970, the end excluded. */
export type VisitDay = { day: string; from: number; to: number };

/** @param now milliseconds since 1970 */
export function dayAt(now: number): VisitDay {
  const date = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(OWNERS_TIME_ZONE).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(OWNERS_TIME_ZONE).epochMilliseconds;
  return { day: date.toString(), from: startOf(date), to: startOf(date.add({ days: 1 })) };
}
