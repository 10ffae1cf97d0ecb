import { useSyncExternalStore } from 'react';
import { isAllowed } from './consent.ts';
import type { Category } from './consent-rules.ts';

/** Whether a category is allowed, now and after every change; never on the server. */
export function useConsent(category: Category): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAllowed(category),
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('consentchange', onChange);
  return () => document.removeEventListener('consentchange', onChange);
}
