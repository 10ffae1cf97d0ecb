/** How to read a date such as `04/03/2026`, in which both day and month are numbers. */
export type DateOrder = 'day-first' | 'month-first';

/** A date in a cell: one time, or one for each order if they differ. Times are ISO strings. */
export type CellDate = { at: string } | Partial<Record<DateOrder, string>>;

/**
 * Reads a date as tools and spreadsheets write it, with or without a time; a time without a time zone counts as UTC.
 * @returns undefined if the text isn't a date that exists
 */
export function readDate(text: string): CellDate | undefined {
  const typed = text.trim().replace(WEEKDAY, '');
  if (SERIAL.test(typed))
    return { at: new Date(SERIAL_ZERO + Math.round(Number(typed.replace(',', '.')) * 86_400) * 1000).toISOString() };
  if (/^(\d{10}|\d{13})$/.test(typed)) return { at: new Date(Number(typed.padEnd(13, '0'))).toISOString() };
  for (const { pattern, orders } of FORMATS) {
    const groups = pattern.exec(typed)?.groups;
    if (groups === undefined) continue;
    const times = Object.fromEntries(
      orders.flatMap((order) => {
        const time = toTime(groups, order);
        return time === undefined ? [] : [[order, time]];
      }),
    ) as Partial<Record<DateOrder, string>>;
    const [first, second] = Object.values(times);
    if (first === undefined) return undefined;
    return orders.length === 1 || first === second ? { at: first } : times;
  }
  return undefined;
}

/** A weekday in English, or any word before a day and a month's name. */
const WEEKDAY =
  /^(?:(?:mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:day)?\.?,? |\p{L}+\.?,? (?=\d{1,2}\.? \p{L}))/iu;

/** A spreadsheet's day number (days since 1899) for the years 2009 to 2064. */
const SERIAL = /^[45]\d{4}([.,]\d+)?$/;
const SERIAL_ZERO = Date.UTC(1899, 11, 30);

const TIME = String.raw`(?:(?:T|,? (?:at|um|à) |[ ,]+)(?<hour>\d{1,2})[:h](?<minute>\d\d)(?: ?Uhr)?(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?\s*(?<half>[ap]\.?m\.?)?\s*(?<zone>Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|UTC|GMT)?(?: ?\([\p{L} ]{1,60}\)| ?UTC)?)?`;

/** A date with dots is always day-first. */
const FORMATS: { pattern: RegExp; orders: DateOrder[] }[] = [
  { pattern: toPattern(String.raw`(?<year>(?:19|20)\d\d)(?<b>\d\d)(?<a>\d\d)`), orders: ['day-first'] },
  { pattern: toPattern(String.raw`(?<year>\d{4})[-/.](?<b>\d{1,2})[-/.](?<a>\d{1,2})`), orders: ['day-first'] },
  { pattern: toPattern(String.raw`(?<a>\d{1,2})\.(?<b>\d{1,2})\.(?<year>\d{4}|\d\d)`), orders: ['day-first'] },
  {
    pattern: toPattern(String.raw`(?<a>\d{1,2})(?<sign>[/-])(?<b>\d{1,2})\k<sign>(?<year>\d{4}|\d\d)`),
    orders: ['day-first', 'month-first'],
  },
  {
    pattern: toPattern(
      String.raw`(?<a>\d{1,2})(?:st|nd|rd|th|er)?[. -]+(?:de )?(?<b>\p{L}{3,10})\.?(?: de)?[ ,-]+(?<year>\d{4}|\d\d)`,
    ),
    orders: ['day-first'],
  },
  {
    pattern: toPattern(String.raw`(?<b>\p{L}{3,9})\.? (?<a>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})`),
    orders: ['day-first'],
  },
];

function toPattern(day: string): RegExp {
  return new RegExp(`^${day}${TIME}$`, 'iu');
}

function toTime(groups: Record<string, string | undefined>, order: DateOrder): string | undefined {
  const { a = '', b = '', year = '', hour = '0', minute = '0', second = '0', fraction = '' } = groups;
  const { half = '', zone = '' } = groups;
  const [day, month] = order === 'day-first' ? [a, b] : [b, a];
  const monthNumber = /\d/.test(month) ? Number(month) : findMonth(month);
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  const fullYear = Number(year) + (year.length === 2 ? 2000 : 0);
  const parts = [fullYear, monthNumber - 1, Number(day), hours, Number(minute), Number(second)] as const;
  const date = new Date(Date.UTC(...parts));
  const isInCalendar =
    date.getUTCMonth() === parts[1] && date.getUTCDate() === parts[2] && date.getUTCHours() === hours;
  if (!isInCalendar || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return new Date(date.getTime() + milliseconds - readOffset(zone)).toISOString();
}

/** Months in English, German, French and Spanish, by their first letters, without accents. */
const MONTHS = [
  'jan|ene',
  'feb|fev',
  'mar|mrz',
  'apr|avr|abr',
  'may|mai',
  'jun|juin',
  'jul|juil',
  'aug|aou|ago',
  'sep',
  'oct|okt',
];
const MONTH_PATTERNS = [...MONTHS, 'nov', 'dec|dez|dic'].map((month) => new RegExp(`^(${month})`));

function findMonth(name: string): number {
  const plain = name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  return MONTH_PATTERNS.findIndex((pattern) => pattern.test(plain)) + 1;
}

/** @returns milliseconds ahead of UTC */
function readOffset(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const distance = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -distance : distance;
}
