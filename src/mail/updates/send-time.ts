import { Temporal } from 'temporal-polyfill';
import { OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';

/**
 * The moment that an owner means by a time on the clock.
 * @param text such as `2026-12-01T09:00`; one with an offset (`Z`, `+01:00`) needs no zone
 * @param zone an IANA name, such as `Europe/London`
 * @returns milliseconds since 1970
 * @throws for a text that is none, and for a time that the clock shows twice or never on that day
 */
export function parseSendTime(text: string, zone = OWNERS_TIME_ZONE): number {
  if (/(Z|[+-]\d{2}:\d{2})$/i.test(text)) {
    return explained(text, () => Temporal.Instant.from(text).epochMilliseconds);
  }
  const plain = explained(text, () => Temporal.PlainDateTime.from(text));
  try {
    return plain.toZonedDateTime(zone, { disambiguation: 'reject' }).epochMilliseconds;
  } catch (error) {
    if (!isZone(zone)) {
      throw new Error(`--time-zone: expected a name such as Europe/London, but found "${zone}"`, { cause: error });
    }
    throw new Error(`--at: the clocks in ${zone} show ${text} twice or never, since they change that day`, {
      cause: error,
    });
  }
}

/** As the owner's clock shows it: `2026-12-01 09:00, Europe/London`. */
export function showSendTime(milliseconds: number, zone = OWNERS_TIME_ZONE): string {
  const at = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString().slice(0, 5)}, ${zone}`;
}

function explained<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`--at: expected a time such as 2026-12-01T09:00, but found "${text}"`, { cause: error });
  }
}

function isZone(zone: string): boolean {
  try {
    Temporal.Now.instant().toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}
