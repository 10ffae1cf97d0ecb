import type { Handler } from 'hono';
import { describeError } from '#shared/describe-error.ts';
import { toIso } from '#store/iso-time.ts';
import { writeMetadata } from '#store/metadata.ts';
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
      latest = tryWriting(store);
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

/**
 * Writes over one row, as long as all that a sign-up writes: a full disk and a read-only database take reads, and an
 * almost full disk takes short rows.
 */
async function tryWriting(store: Store): Promise<void> {
  // SQLite leaves out the pages that would stay the same.
  const text = toIso(Date.now()).repeat(REPETITIONS);
  await store.transaction((tx) => writeMetadata(tx, 'health-check', text));
}

/** Of an ISO time, for 20 pages of SQLite: a sign-up changed 13 to 19. */
const REPETITIONS = 3400;
