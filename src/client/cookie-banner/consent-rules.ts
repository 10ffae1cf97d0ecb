/**
 * The rules of consent: what a choice allows and how it is stored. Nothing here touches the page or the storage.
 * Every visitor downloads this file. Source: the specification, sections 3, 4 and 9.
 */

export const CATEGORIES = ['necessary', 'preferences', 'statistics', 'marketing'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Which categories are allowed; `necessary` always is. */
export type Preferences = Record<Category, boolean>;

const CHOICES = ['all', 'essential', 'custom'] as const;
export type Choice = (typeof CHOICES)[number];

/**
 * Keys in `localStorage`, in the order in which they are written: when a tab gets the event for the last one, all have
 * been written.
 */
export const STORAGE_KEYS = [
  'cookie_preferences',
  'cookie_consent',
  'cookie_consent_version',
  'cookie_consent_timestamp',
] as const;

/** The stored values by key; null for a missing one. */
export type StoredConsent = Record<(typeof STORAGE_KEYS)[number], string | null>;

/**
 * `outdated`: the question has changed since the choice, so nothing optional is allowed and the visitor is asked again.
 */
export type Consent =
  | { status: 'given'; choice: Choice; preferences: Preferences }
  | { status: 'outdated' | 'expired' | 'none' };

/** The current question: a hash of tags, purposes and wording, and whether anything is optional. */
export type Question = { version: string; hasTags: boolean };

/** How long a choice is valid, in milliseconds: 12 months of 30 days. */
const VALIDITY_MS = 360 * 24 * 60 * 60 * 1000;

const NECESSARY_ONLY: Preferences = { necessary: true, preferences: false, statistics: false, marketing: false };
const EVERYTHING: Preferences = { necessary: true, preferences: true, statistics: true, marketing: true };

/**
 * Reads a stored choice. A record that the banner can't have written counts as no consent.
 * @param now epoch milliseconds
 */
export function readConsent(stored: StoredConsent, now: number, question: Question): Consent {
  const choice = stored.cookie_consent as Choice;
  const preferences = parsePreferences(stored.cookie_preferences, choice);
  const age = now - Number(stored.cookie_consent_timestamp ?? Number.NaN);
  // Without a timestamp, which is written last, the age is NaN, and every comparison with NaN is false.
  if (preferences === undefined || !(age >= 0)) return { status: 'none' };
  if (age > VALIDITY_MS) return { status: 'expired' };
  return isCurrent(stored.cookie_consent_version, question)
    ? { status: 'given', choice, preferences }
    : { status: 'outdated' };
}

/** The categories that a choice allows. `selected` is used for `custom` only, and `necessary` is always allowed. */
export function resolvePreferences(choice: Choice, selected: Preferences): Preferences {
  if (choice === 'all') return EVERYTHING;
  return choice === 'custom' ? { ...selected, necessary: true } : NECESSARY_ONLY;
}

/** The categories that are currently allowed. They set the banner's switches, so only valid consent is filled in. */
export function allowedCategories(consent: Consent): Preferences {
  return consent.status === 'given' ? consent.preferences : NECESSARY_ONLY;
}

/** The banner's first sentences, by the reason why it opens. */
export const OPENINGS = ['text', 'changed', 'signal'] as const;
type Opening = (typeof OPENINGS)[number];

/**
 * Chooses the banner's first sentences.
 * @param signal whether the browser sends Global Privacy Control; an explicit choice takes precedence
 */
export function chooseOpening(consent: Consent, signal: boolean): Opening {
  if (consent.status === 'given') return 'text';
  if (signal) return 'signal';
  return consent.status === 'outdated' ? 'changed' : 'text';
}

/**
 * Makes the stored record of a choice.
 * @param now epoch milliseconds
 */
export function makeRecord(choice: Choice, preferences: Preferences, now: number, version: string): StoredConsent {
  return {
    cookie_preferences: JSON.stringify(preferences),
    cookie_consent: choice,
    cookie_consent_version: version,
    cookie_consent_timestamp: String(now),
  };
}

function parsePreferences(json: string | null, choice: Choice): Preferences | undefined {
  try {
    const value = json === null && choice !== 'custom' ? resolvePreferences(choice, NECESSARY_ONLY) : JSON.parse(json!);
    const { necessary, preferences, statistics, marketing } = value as Preferences;
    const listed = { necessary, preferences, statistics, marketing };
    const allowed = resolvePreferences(choice, listed);
    const fits = CATEGORIES.every((name) => typeof listed[name] === 'boolean' && listed[name] === allowed[name]);
    return fits && CHOICES.includes(choice) ? listed : undefined;
  } catch {
    return undefined;
  }
}

/** The specification has no version, so a record without one is current as long as nothing is optional. */
function isCurrent(version: string | null, question: Question): boolean {
  return version === null ? !question.hasTags : version === question.version;
}
