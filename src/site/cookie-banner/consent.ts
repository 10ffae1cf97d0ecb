/** Keeps what is allowed on this page, in step with the site's other tabs. Part of the script that all pages load. */
import { HAS_TAGS, VERSION } from 'virtual:consent-question';
import {
  allowedBy,
  type Choice,
  type Consent,
  type Preferences,
  resolvePreferences,
  readConsent,
  makeRecord,
} from './consent-rules.ts';
import { dropUnstored, readStored, removeStored, writeStored } from './consent-storage.ts';
import { loadParts } from '../islands/load-parts.ts';
import type * as RunTags from './tags/run-tags.ts';

let consent: Consent = { status: 'none' };

/** Reads and applies what the visitor chose before, and follows every later change, here and in other tabs. */
export function startConsent(): void {
  consent = storedConsent();
  // A first visit has nothing to run and nothing to clear, and fetches nothing.
  if (HAS_TAGS && consent.status !== 'none') applyToTags();
  window.addEventListener('storage', ({ key }) => {
    // The timestamp is written last.
    if (key !== 'cookie_consent_timestamp') return;
    dropUnstored();
    syncFromStorage();
  });
  // A page from the browser's memory gets no events of storage, and a tab left open outlives its choice.
  for (const event of ['pageshow', 'visibilitychange', 'resume']) window.addEventListener(event, syncFromStorage, true);
}

/** The choice as stored now, or as made on this page. */
export function currentConsent(): Consent {
  syncFromStorage();
  return consent;
}

/**
 * Makes a choice: stores it, loads what it allows, clears what it does not, and tells the page.
 * @param selected what the switches say; only `custom` looks at it
 * @returns whether the page stays: a withdrawal reloads it
 */
export function choose(choice: Choice, selected: Preferences): boolean {
  const preferences = resolvePreferences(choice, selected);
  writeStored(makeRecord(choice, preferences, Date.now(), VERSION));
  return setConsent({ status: 'given', choice, preferences });
}

function syncFromStorage(): void {
  const stored = storedConsent();
  if (JSON.stringify(stored) !== JSON.stringify(consent)) setConsent(stored);
}

/** A `consentchange` event on `document`, its detail the four booleans of what is allowed now. */
function setConsent(changed: Consent): boolean {
  consent = changed;
  const stays = !HAS_TAGS || applyToTags();
  document.dispatchEvent(new CustomEvent<Preferences>('consentchange', { detail: allowedBy(consent) }));
  return stays;
}

let tags: typeof RunTags | undefined;

/**
 * Applies it in the same task once the tags' script is loaded, so that a withdrawn tag runs no further.
 * @returns whether the page stays
 */
function applyToTags(): boolean {
  if (tags) return tags.applyToTags(allowedBy(consent));
  void loadTags();
  return true;
}

async function loadTags(): Promise<void> {
  try {
    tags = await (await loadParts()).loadTags();
  } catch {
    // Without it no tag runs; the next change tries again.
    return;
  }
  tags.applyToTags(allowedBy(consent));
}

function storedConsent(): Consent {
  const stored = readConsent(readStored(), Date.now(), { version: VERSION, hasTags: HAS_TAGS });
  if (stored.status === 'expired') removeStored();
  return stored;
}
