import { STORAGE_KEYS, type StoredConsent } from './consent-rules.ts';

/** What is stored of an earlier choice; nothing where the browser refuses storage. */
export function readStored(): StoredConsent {
  return Object.fromEntries(STORAGE_KEYS.map((key) => [key, readItem(key)])) as StoredConsent;
}

/** Stores a choice. @returns whether the browser kept it; where it refuses, the choice holds for this page alone */
export function writeStored(record: StoredConsent): boolean {
  try {
    for (const key of STORAGE_KEYS) localStorage.setItem(key, record[key] ?? '');
    return true;
  } catch {
    // Half a choice would be worse than none.
    removeStored();
    return false;
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
