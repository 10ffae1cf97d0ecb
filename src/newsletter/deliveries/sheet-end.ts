import type { QueryCreator } from 'kysely';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import { endSheetDeliveries } from './queue/delivery-state.ts';

/** How many messages waited for a sheet that was taken away; undefined if none was. */
export function readSheetEnd(db: QueryCreator<Schema>): Promise<string | undefined> {
  return readMetadata(db, SHEET_END);
}

/**
 * Ends what waits for the sheet if there is none any more, and forgets it once there is one again.
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
