import { statSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import { runInThread } from '../database/run-in-thread.ts';
import type { Schema } from '../database/schema.ts';

/** Records, in the transaction that erases a person, that copies of their rows may remain in the database file. */
export async function markErasure(db: Kysely<Schema>, now: number): Promise<void> {
  await writeMetadata(db, LAST_ERASURE, toIso(now));
}

/**
 * Rewrites SQLite's file if somebody was erased since the last time. Deleted rows are overwritten, but SQLite copies
 * rows when it splits a page, and leaves the old bytes in unallocated space. Sign-ups have to wait for this;
 * docs/decisions/storage.md says how long.
 * @param now milliseconds since 1970
 * @param isQuiet whether few sign-ups arrive at this time; a large file is rewritten only then
 * @throws the driver's error, for example if another program is reading the file
 */
export async function removeErasedBytes(store: Store, now: number, isQuiet = true): Promise<void> {
  if (store.kind !== 'sqlite' || !(isQuiet || statSync(store.place).size < SMALL_BYTES)) return;
  const erasedAt = await readMetadata(store.db, LAST_ERASURE);
  const rewrittenAt = await readMetadata(store.db, LAST_REWRITE);
  if (erasedAt === undefined || (rewrittenAt !== undefined && erasedAt < rewrittenAt)) return;
  // First, since a rewrite would only lengthen a journal that another program is reading.
  await runInThread(store.place, CHECKPOINT);
  await runInThread(store.place, 'vacuum');
  await runInThread(store.place, CHECKPOINT);
  await store.transaction((tx) => writeMetadata(tx, LAST_REWRITE, toIso(now)));
}

const CHECKPOINT = 'pragma wal_checkpoint(truncate)';

/** Rewriting a file of this size takes some 0.3 s. That of a list of 20,000 people is smaller. */
const SMALL_BYTES = 64_000_000;

const LAST_ERASURE = 'last-erasure';

/** When the last rewrite began, since somebody may have been erased while it was running. */
const LAST_REWRITE = 'last-rewrite';
