/** What is allowed on this page now. It follows the site's other tabs. Part of the script that all pages load. */
import { HAS_TAGS, VERSION } from 'virtual:consent-question';
import {
  allowedBy,
  type Choice,
  type Consent,
  type Preferences,
  preferencesOf,
  readConsent,
  recordOf,
} from './consent-rules.ts';
import { readStored, removeStored, writeStored } from './consent-storage.ts';
import { loadParts } from '../islands/load-parts.ts';
import type * as RunTags from './tags/run-tags.ts';

let consent: Consent = { status: 'none' };

/** Whether the browser refused to store the choice, so that it holds for this page alone. */
let isOfThisPage = false;

/** Reads and applies what the visitor chose before, and follows every later change, here and in other tabs. */
export function startConsent(): void {
  consent = storedConsent();
  if (HAS_TAGS) applyToTags();
  // The timestamp is written last. A key of null means that everything was removed.
  window.addEventListener('storage', ({ key }) => {
    if (key === 'cookie_consent_timestamp' || key === null) follow();
  });
  // A page from the browser's memory has heard nothing meanwhile, and a tab left open outlives its choice.
  for (const event of ['pageshow', 'visibilitychange', 'resume']) window.addEventListener(event, follow, true);
}

/** What is chosen, as stored now. */
export function currentConsent(): Consent {
  follow();
  return consent;
}

/**
 * Makes a choice: stores it, loads what it allows, clears what it does not, and tells the page.
 * @param selected what the switches say; only `custom` looks at it
 * @returns whether the page stays: a withdrawal reloads it
 */
export function choose(choice: Choice, selected: Preferences): boolean {
  const preferences = preferencesOf(choice, selected);
  isOfThisPage = !writeStored(recordOf(choice, preferences, Date.now(), VERSION));
  return settle({ status: 'given', choice, preferences });
}

function follow(): void {
  const stored = isOfThisPage ? consent : storedConsent();
  if (JSON.stringify(stored) !== JSON.stringify(consent)) settle(stored);
}

/** A `consentchange` event on `document`, its detail the four booleans of what is allowed now. */
function settle(settled: Consent): boolean {
  consent = settled;
  const stays = !HAS_TAGS || applyToTags();
  document.dispatchEvent(new CustomEvent<Preferences>('consentchange', { detail: allowedBy(consent) }));
  return stays;
}

let tags: typeof RunTags | undefined;

/** At once where the script of the tags has come: a withdrawn tag gets no moment more. */
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
