import { Temporal } from 'temporal-polyfill';
import { onOwnersClock, OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';

/**
 * Reads a time that the owner typed.
 * @param text in London, such as `2026-12-01T09:00`
 * @returns milliseconds since 1970
 * @throws for any other text, and for a time that occurs twice or never when the clocks change
 */
export function parseSendTime(text: string): number {
  const plain = parsePlain(text);
  try {
    return plain.toZonedDateTime(OWNERS_TIME_ZONE, { disambiguation: 'reject' }).epochMilliseconds;
  } catch (error) {
    throw new Error(`The clocks in London show ${text} twice or never, since they change that day`, { cause: error });
  }
}

function parsePlain(text: string): Temporal.PlainDateTime {
  try {
    if (TIME.test(text)) return Temporal.PlainDateTime.from(text);
  } catch {
    // It is reported below.
  }
  throw new Error(`Expected a time in London, such as 2026-12-01T09:00, but found "${text.slice(0, 100)}"`);
}

/** Temporal accepts other formats too, such as a date alone. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d$/;

/** In the owner's time zone: `2026-12-01 09:00, Europe/London`. */
export function showSendTime(milliseconds: number): string {
  const at = onOwnersClock(milliseconds);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString().slice(0, 5)}, ${OWNERS_TIME_ZONE}`;
}
