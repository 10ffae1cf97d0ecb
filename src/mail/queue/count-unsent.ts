import { sql } from 'kysely';
import type { Store } from '#store/open-store.ts';
import type { Delivery } from '#store/schema.ts';

/** How many deliveries wait or are on their way, and how many were given up. */
export type Unsent = { waiting: number; failed: number };

export async function countUnsent(store: Store): Promise<Unsent> {
  return {
    waiting: (await count(store, 'waiting')) + (await count(store, 'sending')),
    failed: await count(store, 'failed'),
  };
}

async function count({ db }: Store, state: Delivery['state']): Promise<number> {
  const { total } = await db
    .selectFrom('deliveries')
    .select((select) => select.fn.countAll<number | string>().as('total'))
    // Written into the statement, since only then SQLite uses the index over this state.
    .where('state', '=', sql.lit(state))
    .executeTakeFirstOrThrow();
  return Number(total);
}
