import { findFieldProblem } from '#shared/sign-up-fields.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';

/**
 * Corrects a person's role. The email address can't be changed, since the consent was given for it. A correction counts
 * as engagement: the person was in touch.
 * @param now milliseconds since 1970
 * @throws saying what was expected, if the role is not offered
 */
export async function correctRole(store: Store, id: string, role: string, now = Date.now()): Promise<void> {
  const problem = findFieldProblem('role', role);
  if (problem !== undefined) throw new Error(`Role: ${problem}.`);
  const person = { role, engaged_at: toIso(now) };
  await store.transaction((tx) => tx.updateTable('subscribers').set(person).where('id', '=', id).execute());
}
