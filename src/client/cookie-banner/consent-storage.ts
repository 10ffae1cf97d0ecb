import { STORAGE_KEYS, type StoredConsent } from './consent-rules.ts';

/** A choice that the browser couldn't store: it lasts until the visitor leaves the page. */
let unstored: StoredConsent | undefined;

/** Reads the record of an earlier choice; the values are null if there is none or storage is blocked. */
export function readStored(): StoredConsent {
  return unstored ?? readItems();
}

/** Stores a choice; if the browser can't store it, the choice is kept for this page. */
export function writeStored(record: StoredConsent): void {
  try {
    for (const key of STORAGE_KEYS) localStorage.setItem(key, record[key] ?? '');
  } catch {
    // Remove it first, so that a record is never half old and half new.
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

/** Drops this page's unstored choice, because another tab has stored a newer one. */
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
