import { locksRows } from '#newsletter/database/lock-rows.ts';
import type { DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { normaliseEmail } from '#newsletter/subscribers/email.ts';
import type { SignInStore } from './sign-in-links.ts';

/** Lists the addresses that may sign in. */
export async function listPeople({ store: { db } }: SignInStore): Promise<string[]> {
  const people = await db.selectFrom('desk_people').select('email').orderBy('email').execute();
  return people.map(({ email }) => email);
}

/** Whether nobody may sign in yet, so that only a link from the terminal opens the desk. */
export async function isUnclaimed({ store: { db } }: SignInStore): Promise<boolean> {
  return (await db.selectFrom('desk_people').select('email').limit(1).executeTakeFirst()) === undefined;
}

/**
 * Lets an address sign in. A session without an address (from a terminal link) now belongs to this address.
 * @returns the normalised address, and whether it is new
 * @throws an error for the owner if it isn't an email address
 */
export async function addPerson(
  { store }: SignInStore,
  typed: string,
  session: DeskSession,
): Promise<{ email: string; isNew: boolean }> {
  const email = normaliseEmail(typed);
  if (email === undefined) throw new Error('Type an email address, such as name@example.org.');
  return store.transaction(async (tx) => {
    const added = await tx
      .insertInto('desk_people')
      .values({ email })
      .onConflict((conflict) => conflict.doNothing())
      .returning('email')
      .executeTakeFirst();
    await tx
      .updateTable('desk_sessions')
      .set({ email })
      .where('id', '=', session.id)
      .where('email', 'is', null)
      .execute();
    return { email, isNew: added !== undefined };
  });
}

/**
 * Removes an address with its passkeys, signed-in browsers and links.
 * @throws an error for the owner if it is the last one: nobody could sign in afterwards
 */
export async function removePerson({ store }: SignInStore, email: string): Promise<void> {
  await store.transaction(async (tx) => {
    const people = await tx
      .selectFrom('desk_people')
      .select('email')
      .$if(locksRows(tx), (query) => query.forUpdate())
      .execute();
    if (people.every((person) => person.email === email)) {
      throw new Error('Add another person first: without any address, only a link from the terminal opens your desk.');
    }
    await tx.deleteFrom('desk_people').where('email', '=', email).execute();
  });
}
