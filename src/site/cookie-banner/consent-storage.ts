import { STORAGE_KEYS, type StoredConsent } from './consent-rules.ts';

/** A choice of this page that the browser did not store: it holds until the page is left. */
let unstored: StoredConsent | undefined;

/** Reads the record of an earlier choice; empty where there is none, or the browser refuses storage. */
export function readStored(): StoredConsent {
  return unstored ?? readItems();
}

/** Stores a choice, or keeps it for this page where the browser refuses storage, or forgets what it was given. */
export function writeStored(record: StoredConsent): void {
  try {
    for (const key of STORAGE_KEYS) localStorage.setItem(key, record[key] ?? '');
  } catch {
    // Half a choice would be worse than none.
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
    // Where nothing can be stored, nothing needs removing.
  }
}

/** Gives way to the choice that another tab has stored. */
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
