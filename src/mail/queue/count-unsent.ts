import type { Store } from '#store/open-store.ts';

/** How many deliveries wait to go out, and how many were given up. */
export type Unsent = { waiting: number; failed: number };

export async function countUnsent({ db }: Store): Promise<Unsent> {
  const counts = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute();
  const count = (state: string) => Number(counts.find((row) => row.state === state)?.count ?? 0);
  return { waiting: count('waiting'), failed: count('failed') };
}
