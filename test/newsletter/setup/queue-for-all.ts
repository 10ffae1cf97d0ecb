import { countAudience } from '#newsletter/updates/audience.ts';
import { queueUpdate } from '#newsletter/updates/queue-update.ts';
import type { Store } from '#newsletter/database/open-store.ts';

export const TEMPLATE = { subject: 'Pay', html: '<p>Pay</p>', text: 'Pay' };
export const CAPS = { hourlyCap: 1_000_000, dailyCap: undefined };

type Fields = {
  file?: string;
  textHash?: string;
  roles?: string[];
  template?: typeof TEMPLATE;
  now?: number;
  sendAt?: number;
};

/** A store that fails after some transactions, as if the program had been killed between two of them. */
export function endAfter(store: Store, transactions: number): Store {
  let done = 0;
  return {
    ...store,
    transaction: async (work) => {
      if (done === transactions) throw new Error('ended');
      done += 1;
      return store.transaction(work);
    },
  };
}

/** Queues update.md for all its recipients. @returns its id */
export async function queueForAll(store: Store, fields: Fields = {}): Promise<string> {
  const { now = Date.now(), sendAt = now, template = TEMPLATE, file = 'update.md', roles } = fields;
  const { textHash = file === 'update.md' ? 'hash' : `hash of ${file}` } = fields;
  const query = { file, textHash, roles };
  const { total } = await countAudience(store.db, query);
  return queueUpdate(store, { ...query, template, expected: total, sendAt, caps: CAPS }, now);
}
