import { findFieldProblem } from '#shared/sign-up-fields.ts';
import type { Store } from '../database/open-store.ts';
import type { Subscriber } from '../database/schema.ts';

/**
 * The maximum length of a source that the owner types. The source of a sign-up with all campaign parameters may be
 * longer.
 */
export const SOURCE_MAX_LENGTH = 2000;

/**
 * Corrects a person's role and source. The email address can't be changed, since the consent was given for it. A
 * correction doesn't count as engagement, since it didn't come from the mailbox.
 * @returns whether there is such a person
 * @throws an error that says what was expected, if the role isn't offered or a new source isn't one line
 */
export async function correctPerson(
  store: Store,
  id: string,
  { role, first_source: source }: Pick<Subscriber, 'role' | 'first_source'>,
): Promise<boolean> {
  const problem = findFieldProblem('role', role);
  if (problem !== undefined) throw new Error(`Role: ${problem}.`);
  return store.transaction(async (tx) => {
    const person = await tx.selectFrom('subscribers').select('first_source').where('id', '=', id).executeTakeFirst();
    if (person === undefined) return false;
    const isChanged = source.trim() !== person.first_source.trim();
    if (isChanged) checkSource(source.trim());
    await tx
      .updateTable('subscribers')
      .set({ role, ...(isChanged && { first_source: source.trim() }) })
      .where('id', '=', id)
      .execute();
    return true;
  });
}

function checkSource(source: string): void {
  if (source !== '' && source.length <= SOURCE_MAX_LENGTH && !/\p{Cc}/u.test(source)) return;
  throw new Error(`Came from: expected one line of at most ${SOURCE_MAX_LENGTH} characters.`);
}
