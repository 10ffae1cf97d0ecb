import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { readMetadata, writeMetadata } from './metadata.ts';
import type { Store } from './open-store.ts';
import { runInThread } from './run-in-thread.ts';
import type { Schema } from './schema.ts';

/** Notes, in the transaction that erases a person, that copies of their rows may remain in the file. */
export async function markErasure(db: Kysely<Schema>): Promise<void> {
  // Differs each time: the file may be rewritten between two erasures of one purge.
  await writeMetadata(db, ERASED, randomUUID());
}

/**
 * Rewrites SQLite's file when somebody was erased since the last time. Deleted rows are overwritten, but SQLite copies
 * rows when it divides a page, and leaves the old bytes in unallocated space. Runs in a thread of its own: pages are
 * answered, and sign-ups wait (docs/decisions/storage.md says how long), so a large file is rewritten at night.
 * @param now milliseconds since 1970
 * @throws the driver's error, for example when another program holds the lock; the next call tries again
 */
export async function removeErasedBytes(store: Store, now: number): Promise<void> {
  if (store.kind !== 'sqlite' || !isTimeToRewrite(store.place, now)) return;
  const mark = await readMetadata(store.db, ERASED);
  if (mark === undefined) return;
  await runInThread(store.place, 'vacuum');
  await runInThread(store.place, 'pragma wal_checkpoint(truncate)');
  await store.transaction((tx) =>
    tx.deleteFrom('metadata').where('name', '=', ERASED).where('value', '=', mark).execute(),
  );
}

function isTimeToRewrite(file: string, now: number): boolean {
  return statSync(file).size <= MAX_BYTES_BY_DAY || onOwnersClock(now).hour === QUIET_HOUR;
}

/** Some 15,000 people: rewriting takes less than 100 ms. */
const MAX_BYTES_BY_DAY = 15_000_000;

/** On the owner's clock, when the fewest people sign up. */
const QUIET_HOUR = 3;

const ERASED = 'erased-since-rewrite';
