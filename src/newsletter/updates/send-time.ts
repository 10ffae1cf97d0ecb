import { Temporal } from 'temporal-polyfill';
import { onOwnersClock, OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';

/**
 * Reads a time that the owner typed.
 * @param text in London, as in `2026-12-01T09:00`; or with its offset (RFC 3339) and zone (RFC 9557), as in
 *   `2026-12-01T09:00-05:00[America/New_York]`
 * @returns milliseconds since 1970
 * @throws for any other text, and for a time that the clocks show twice or never that day
 */
export function parseSendTime(text: string): number {
  const [, offset, named] = (text.length <= MAX_LENGTH && TIME.exec(text)) || refuse(text);
  if (named !== undefined) return explained(text, () => Temporal.ZonedDateTime.from(text, REJECT).epochMilliseconds);
  if (offset !== undefined) return explained(text, () => Temporal.Instant.from(text).epochMilliseconds);
  const plain = explained(text, () => Temporal.PlainDateTime.from(text));
  try {
    return plain.toZonedDateTime(OWNERS_TIME_ZONE, REJECT).epochMilliseconds;
  } catch (error) {
    throw new Error(`The clocks in London show ${text} twice or never, since they change that day`, { cause: error });
  }
}

const MAX_LENGTH = 100;

/** Temporal reads more than the two standards allow, for example `-05`. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?((?:\[[^[\]]+\])+)?$/;

/** Refuses a time that its zone's clock shows twice, never, or with another offset. */
const REJECT = { disambiguation: 'reject', offset: 'reject' } as const;

/** As the owner's clock shows it: `2026-12-01 09:00, Europe/London`. */
export function showSendTime(milliseconds: number): string {
  const at = onOwnersClock(milliseconds);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString().slice(0, 5)}, ${OWNERS_TIME_ZONE}`;
}

function explained<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    return refuse(text, error);
  }
}

function refuse(text: string, cause?: unknown): never {
  const examples = '2026-12-01T09:00, 2026-12-01T09:00-05:00 or 2026-12-01T09:00-05:00[America/New_York]';
  throw new Error(`Expected a time such as ${examples}, but found "${text.slice(0, MAX_LENGTH)}"`, { cause });
}
