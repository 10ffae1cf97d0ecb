/**
 * What is allowed on this page now. Loaded only where there is something to ask or something to load; every other tab
 * of the site is followed.
 */
import { HAS_TAGS, VERSION } from 'virtual:consent-question';
import {
  allowedBy,
  type Category,
  type Choice,
  type Consent,
  type Preferences,
  preferencesOf,
  readConsent,
  recordOf,
} from './consent-rules.ts';
import { readStored, removeStored, writeStored } from './consent-storage.ts';
import { applyToTags } from './run-tags.ts';

let consent = storedConsent();
if (HAS_TAGS) applyToTags(allowedBy(consent));

// The timestamp is written last. A key of null means that everything was removed.
window.addEventListener('storage', ({ key }) => {
  if (key === 'cookie_consent_timestamp' || key === null) settle(storedConsent());
});
// A page that comes back from the browser's memory has heard nothing meanwhile.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) settle(storedConsent());
});

export function currentConsent(): Consent {
  return consent;
}

export function isAllowed(category: Category): boolean {
  return allowedBy(consent)[category];
}

/**
 * Makes a choice: stores it, loads what it allows, clears what it does not, and tells the page.
 * @param selected what the switches say; only `custom` looks at it
 */
export function choose(choice: Choice, selected: Preferences): void {
  const preferences = preferencesOf(choice, selected);
  writeStored(recordOf(choice, preferences, Date.now(), VERSION));
  settle({ status: 'given', choice, preferences });
}

/** A `consentchange` event on `document`, its detail the four booleans of what is allowed now. */
function settle(settled: Consent): void {
  consent = settled;
  const preferences = allowedBy(consent);
  document.dispatchEvent(new CustomEvent<Preferences>('consentchange', { detail: preferences }));
  if (HAS_TAGS) applyToTags(preferences);
}

function storedConsent(): Consent {
  const stored = readConsent(readStored(), Date.now(), { version: VERSION, hasTags: HAS_TAGS });
  if (stored.status === 'expired') removeStored();
  return stored;
}
