import { STORAGE_KEYS, type StoredConsent } from './consent-rules.ts';

/** Reads the record of an earlier choice; empty where the browser refuses storage. */
export function readStored(): StoredConsent {
  return Object.fromEntries(STORAGE_KEYS.map((key) => [key, readItem(key)])) as StoredConsent;
}

/** Stores a choice, or nothing where the browser refuses storage. */
export function writeStored(record: StoredConsent): void {
  try {
    for (const key of STORAGE_KEYS) localStorage.setItem(key, record[key] ?? '');
  } catch {
    // Half a choice would be worse than none.
    removeStored();
  }
}

export function removeStored(): void {
  try {
    for (const key of STORAGE_KEYS) localStorage.removeItem(key);
  } catch {
    // Where nothing can be stored, nothing needs removing.
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
