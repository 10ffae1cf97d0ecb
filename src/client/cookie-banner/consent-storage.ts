import { STORAGE_KEYS, type StoredConsent } from './consent-rules.ts';

/** A choice that the browser did not store: it lasts until the page is left. */
let unstored: StoredConsent | undefined;

/** Reads the record of an earlier choice; its values are null if there is none or storage is blocked. */
export function readStored(): StoredConsent {
  return unstored ?? readItems();
}

/** Stores a choice; if the browser does not store it, the choice is kept for this page. */
export function writeStored(record: StoredConsent): void {
  try {
    for (const key of STORAGE_KEYS) localStorage.setItem(key, record[key] ?? '');
  } catch {
    // A record must not remain partly written.
    removeStored();
  }
  const stored = readItems();
  unstored = STORAGE_KEYS.every((key) => stored[key] === record[key]) ? undefined : record;
}

export function removeStored(): void {
  unstored = undefined;
  try {
    for (const key of STORAGE_KEYS) localStorage.removeItem(key);
  } catch {
    // If nothing can be stored, nothing needs removing.
  }
}

/** Forgets this page's unstored choice, since another tab has stored a newer one. */
export function dropUnstored(): void {
  unstored = undefined;
}

function readItems(): StoredConsent {
  return Object.fromEntries(STORAGE_KEYS.map((key) => [key, readItem(key)])) as StoredConsent;
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
