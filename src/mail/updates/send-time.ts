import { Temporal } from 'temporal-polyfill';
import { onOwnersClock, OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';

/**
 * Reads a time that the owner has written.
 * @param text in London, as in `2026-12-01T09:00`; or with its offset (RFC 3339) and zone (RFC 9557), as in
 *   `2026-12-01T09:00-05:00[America/New_York]`
 * @returns milliseconds since 1970
 * @throws for any other text, and for a time that the clock shows twice or never on that day
 */
export function parseSendTime(text: string): number {
  const zoned = text.endsWith(']') ? text : `${text}[${OWNERS_TIME_ZONE}]`;
  // Where the text names a zone, its offset must be that zone's.
  const options = { disambiguation: 'reject', offset: zoned === text ? 'reject' : 'use' } as const;
  try {
    if (!TIME.test(text)) throw new RangeError('neither RFC 3339 nor RFC 9557');
    return Temporal.ZonedDateTime.from(zoned, options).epochMilliseconds;
  } catch (error) {
    throw new Error(
      `Expected a time such as ${EXAMPLES}, that the clock shows once on that day, but found "${text.slice(0, 100)}"`,
      { cause: error },
    );
  }
}

/** Temporal reads more than the two standards allow, for example `-05`. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?(?:\[[^[\]]+\])*$/;

const EXAMPLES = '2026-12-01T09:00, 2026-12-01T09:00-05:00 or 2026-12-01T09:00-05:00[America/New_York]';

/** As the owner's clock shows it: `2026-12-01 09:00, Europe/London`. */
export function showSendTime(milliseconds: number): string {
  const at = onOwnersClock(milliseconds);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString().slice(0, 5)}, ${OWNERS_TIME_ZONE}`;
}
