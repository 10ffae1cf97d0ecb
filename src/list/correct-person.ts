import { findFieldProblem } from '#shared/sign-up-fields.ts';
import type { Store } from '#store/open-store.ts';
import type { Subscriber } from '#store/schema.ts';

const SOURCE_MAX_LENGTH = 200;

/**
 * Corrects a person's role and source. The address cannot be changed, since the consent was given for it.
 * @returns whether there is such a person
 * @throws saying what was expected, when the role is not offered or the source is not one line
 */
export async function correctPerson(
  store: Store,
  id: string,
  { role, first_source: source }: Pick<Subscriber, 'role' | 'first_source'>,
): Promise<boolean> {
  const problem = findFieldProblem('role', role);
  if (problem !== undefined) throw new Error(`Role: ${problem}.`);
  if (source.trim() === '' || source.length > SOURCE_MAX_LENGTH || /\p{Cc}/u.test(source)) {
    throw new Error(`Came from: expected one line of at most ${SOURCE_MAX_LENGTH} characters.`);
  }
  const corrected = await store.transaction((tx) =>
    tx
      .updateTable('subscribers')
      .set({ role, first_source: source.trim() })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst(),
  );
  return corrected !== undefined;
}
