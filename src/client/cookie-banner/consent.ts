/** Keeps the page's consent in sync with other tabs of the site. Part of the script that every page loads. */
import { findBannerRoot } from './banner-parts.ts';
import {
  allowedCategories,
  type Choice,
  type Consent,
  type Preferences,
  resolvePreferences,
  readConsent,
  makeRecord,
} from './consent-rules.ts';
import { dropUnstored, readStored, removeStored, writeStored } from './consent-storage.ts';
import { loadInteractions } from '../load-interactions.ts';
import type * as RunTags from '../tags/run-tags.ts';

const { version: VERSION = '', tags: TAGS } = findBannerRoot()?.dataset ?? {};

let consent: Consent = { status: 'none' };

/** Reads and applies the stored choice, then applies every change that another tab makes. */
export function startConsent(): void {
  consent = readStoredConsent();
  // A first visit has nothing to run or clear, so the tags' script is not loaded.
  if (TAGS !== undefined && consent.status !== 'none') applyToTags(false);
  window.addEventListener('storage', ({ key }) => {
    // The timestamp is written last.
    if (key !== 'cookie_consent_timestamp') return;
    dropUnstored();
    syncFromStorage();
  });
  // A page in the back/forward cache receives no storage events, and a choice may expire while its tab is open.
  for (const event of ['pageshow', 'visibilitychange', 'resume']) window.addEventListener(event, syncFromStorage, true);
}

/** Returns the consent as stored now, or as chosen on this page if it could not be stored. */
export function readCurrentConsent(): Consent {
  syncFromStorage();
  return consent;
}

/**
 * Makes a choice: stores it, loads what it allows, clears what it does not, and dispatches `consentchange`.
 * @param selected the state of the switches; used for `custom` only
 */
export function choose(choice: Choice, selected: Preferences): void {
  const preferences = resolvePreferences(choice, selected);
  writeStored(makeRecord(choice, preferences, Date.now(), VERSION));
  setConsent({ status: 'given', choice, preferences });
}

function syncFromStorage(): void {
  const stored = readStoredConsent();
  if (JSON.stringify(stored) !== JSON.stringify(consent)) setConsent(stored);
}

/** Applies a consent and dispatches `consentchange` on `document`. */
function setConsent(changed: Consent): void {
  consent = changed;
  if (TAGS !== undefined) applyToTags(true);
  document.dispatchEvent(new Event('consentchange'));
}

let tags: typeof RunTags | undefined;

/**
 * Applies the consent to the tags; synchronously if the tag script is loaded, so that a withdrawn tag stops at once.
 * @param isNew whether the consent has just changed; then the data of tags without consent is removed everywhere
 */
function applyToTags(isNew: boolean): void {
  if (tags === undefined) return void loadTags(isNew);
  try {
    tags.applyToTags(allowedCategories(consent), isNew);
  } catch (error) {
    // The banner has to work even if a tag or an extension fails.
    console.error(error);
  }
}

async function loadTags(isNew: boolean): Promise<void> {
  try {
    tags = await (await loadInteractions()).loadTags();
  } catch {
    // Without the script no tag runs; the next change tries again.
    return;
  }
  applyToTags(isNew);
}

function readStoredConsent(): Consent {
  const stored = readConsent(readStored(), Date.now(), { version: VERSION, hasTags: TAGS !== undefined });
  if (stored.status === 'expired') removeStored();
  return stored;
}
