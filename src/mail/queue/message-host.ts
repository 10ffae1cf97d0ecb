import type { Store } from '#store/open-store.ts';

/**
 * The host that ends every Message-ID of this list. It is fixed when the first server starts, so that a mail is called the
 * same at each attempt, also where the agency's address changes.
 */
export async function readMessageHost(store: Store, ownersAddress: string): Promise<string> {
  await store.statement((db) =>
    db
      .insertInto('metadata')
      .values({ name: MESSAGE_HOST, value: ownersAddress.slice(ownersAddress.lastIndexOf('@') + 1) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
  const { value } = await store.db
    .selectFrom('metadata')
    .select('value')
    .where('name', '=', MESSAGE_HOST)
    .executeTakeFirstOrThrow();
  return value;
}

const MESSAGE_HOST = 'message-id-host';
