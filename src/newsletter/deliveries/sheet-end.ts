import type { QueryCreator } from 'kysely';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import { endSheetDeliveries } from './queue/delivery-state.ts';

/** Reads how many messages were waiting for the sheet when it was disconnected; undefined if none were. */
export function readSheetEnd(db: QueryCreator<Schema>): Promise<string | undefined> {
  return readMetadata(db, SHEET_END);
}

/**
 * Drops the messages that are waiting for a sheet that has been disconnected, and records how many they were. Clears
 * that record once a sheet is connected.
 * @param now milliseconds since 1970
 */
export async function endWithoutSheet(store: Store, hasSheet: boolean, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    if (hasSheet) await tx.deleteFrom('metadata').where('name', '=', SHEET_END).execute();
    else {
      const ended = await endSheetDeliveries(tx, now);
      if (ended > 0) await writeMetadata(tx, SHEET_END, String(ended));
    }
  });
}

const SHEET_END = 'sheet-end';
