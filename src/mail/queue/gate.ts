import type { Transaction } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';

/** Makes the row that all sending locks. To be called once before anything begins. */
export async function openGate(store: Store): Promise<void> {
  await store.statement((db) =>
    db
      .insertInto('metadata')
      .values({ name: GATE, value: '' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
}

/** Keeps every other transaction that begins a delivery waiting until this one ends. */
export async function lockGate(tx: Transaction<Schema>, now: number): Promise<void> {
  await tx
    .updateTable('metadata')
    .set({ value: iso(now) })
    .where('name', '=', GATE)
    .execute();
}

const GATE = 'mail-gate';
