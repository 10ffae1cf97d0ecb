import { AsyncLocalStorage } from 'node:async_hooks';
import { Temporal } from 'temporal-polyfill';
import { OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';

/** `1,204`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** `two`, `12`: numbers up to ten in words, as in running text. */
export function countInWords(count: number): string {
  return WORDS[count] ?? formatCount(count);
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

export function capitalise(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** `1 person`, `1,204 people`. */
export function formatPeople(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`;
}

/** `1204` for `1,204`, as people type numbers. */
export function removeSeparators(typed: string): string {
  return typed.replaceAll(/[\s.,'’]/g, '');
}

/**
 * `Monday 23 November, 08:10 London`, with the year if it isn't this year.
 * @param time milliseconds since 1970, or an ISO time
 */
export function formatMoment(time: number | string): string {
  return formatDay('long', time);
}

/** `Thu 12 Nov, 09:41 London`, with the year if it isn't this year. */
export function formatShortMoment(time: number | string): string {
  return formatDay('short', time);
}

function formatDay(length: 'long' | 'short', time: number | string): string {
  const isThisYear = format({ year: 'numeric' }, time) === format({ year: 'numeric' }, Date.now());
  const year = isThisYear ? undefined : 'numeric';
  return `${format({ weekday: length, day: 'numeric', month: length, year }, time)}, ${formatClock(time)}`;
}

/** `today`, `tomorrow`, or `on Monday 23 November`, also if it is today or tomorrow only in London or for the reader. */
export function describeDay(time: number): string {
  const days = countDays(time, OWNERS_TIME_ZONE);
  const isShared = days === countDays(time, readersZone.getStore() ?? OWNERS_TIME_ZONE);
  if (isShared && (days === 0 || days === 1)) return days === 0 ? 'today' : 'tomorrow';
  return `on ${format({ weekday: 'long', day: 'numeric', month: 'long' }, time)}`;
}

/** How many days from now a time is, by the calendar. */
function countDays(time: number, zone: string): number {
  const [today, day] = [Date.now(), time].map((each) =>
    Temporal.Instant.fromEpochMilliseconds(each).toZonedDateTimeISO(zone).toPlainDate(),
  );
  return today!.until(day!).days;
}

/** `23 Nov 2026`. */
export function formatDate(time: number | string): string {
  return format({ day: 'numeric', month: 'short', year: 'numeric' }, time);
}

/**
 * `08:10 London`. On the desk, a reader in another time zone sees `08:10 London (03:10 New York)`, with the weekday if
 * that differs too.
 */
export function formatClock(time: number | string): string {
  const [day, clock] = [format({ weekday: 'short' }, time), format(CLOCK, time)];
  const zone = readersZone.getStore();
  if (zone === undefined) return `${clock} London`;
  const [ownDay, ownClock] = [format({ weekday: 'short' }, time, zone), format(CLOCK, time, zone)];
  if (ownDay === day && ownClock === clock) return `${clock} London`;
  const city = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return `${clock} London (${ownDay === day ? '' : `${ownDay} `}${ownClock} ${city})`;
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

const readersZone = new AsyncLocalStorage<string>();

/**
 * Shows times in the reader's time zone as well as London's while `respond` runs.
 * @param zone as the browser names it, such as `America/New_York`; if it is missing or unknown, only London's is shown
 */
export function showTimesIn<Result>(zone: string | undefined, respond: () => Result): Result {
  return zone !== undefined && isTimeZone(zone) ? readersZone.run(zone, respond) : respond();
}

function isTimeZone(zone: string): boolean {
  try {
    return zone.length < 64 && Intl.DateTimeFormat('en-GB', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether an ISO time is only a date, as in some imports. */
export function isDay(time: string): boolean {
  return time.endsWith('T00:00:00.000Z');
}

export function format(
  options: Intl.DateTimeFormatOptions,
  time: number | string,
  timeZone: string = OWNERS_TIME_ZONE,
): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(new Date(time)).replace(/^(\w+), /, '$1 ');
}
