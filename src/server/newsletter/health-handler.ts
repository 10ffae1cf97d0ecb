import type { Handler } from 'hono';
import { describeError } from '#shared/describe-error.ts';
import type { Store } from '#store/open-store.ts';

/**
 * GET /healthz: whether a sign-up could be stored, and nothing that anybody could learn from. Those who ask within a
 * second share an answer, so that asking cannot hold up sign-ups.
 */
export function createHealthHandler(store: Store, log: (line: string) => void): Handler {
  let askedAt = -Infinity;
  let latest: Promise<void>;
  return async (context) => {
    if (performance.now() - askedAt > 1000) {
      askedAt = performance.now();
      latest = takeLock(store);
    }
    context.header('Cache-Control', 'no-store');
    try {
      await latest;
      return context.json({ store: 'reachable' });
    } catch (error) {
      log(`GET health: 503, the store failed (${describeError(error)}).`);
      return context.json({ store: 'unreachable' }, 503);
    }
  };
}

/** Takes the lock that writing takes, and writes nothing. */
async function takeLock(store: Store): Promise<void> {
  await store.transaction((tx) => tx.selectFrom('metadata').select('name').limit(1).execute());
}
