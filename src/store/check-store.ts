import type { Store } from './open-store.ts';

/**
 * Tries whether a sign-up could be stored: takes the lock that writing takes, and writes nothing.
 * @throws when the store is away, or another program holds its lock for too long
 */
export async function checkStore(store: Store): Promise<void> {
  await store.transaction((tx) => tx.selectFrom('metadata').select('name').limit(1).execute());
}

/** Many who ask together share an answer, so that asking cannot hold up sign-ups. */
export function oncePerSecond(check: () => Promise<void>): () => Promise<void> {
  let latest: { startedAt: number; answer: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - latest.startedAt > 1000) latest = { startedAt: now, answer: check() };
    return latest.answer;
  };
}
