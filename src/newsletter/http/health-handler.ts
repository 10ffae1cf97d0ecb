import type { Handler } from 'hono';
import { describeError } from '#shared/describe-error.ts';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';

/**
 * GET /healthz: whether the store can be read and, at most once a minute, written. Requests during a check share its
 * result, so that they don't hold up sign-ups.
 */
export function createHealthHandler(store: Store, log: (line: string) => void): Handler {
  let writtenAt = -Infinity;
  let current: Promise<void> | undefined;
  const check = async () => {
    if (performance.now() - writtenAt < WRITE_INTERVAL_MS) return void (await readMetadata(store.db, NAME));
    // In a transaction, which is retried while another process is writing.
    await store.transaction((tx) => writeMetadata(tx, NAME, toIso(Date.now())));
    writtenAt = performance.now();
  };
  return async (context) => {
    context.header('Cache-Control', 'no-store');
    try {
      await (current ??= check().finally(() => (current = undefined)));
      return context.json({ store: 'reachable' });
    } catch (error) {
      log(`GET health: 503, the store failed (${describeError(error)}).`);
      return context.json({ store: 'unreachable' }, 503);
    }
  };
}

const NAME = 'health-check';

const WRITE_INTERVAL_MS = 60_000;
