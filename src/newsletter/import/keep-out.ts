import { randomUUIDv7 } from 'node:crypto';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import { hashMailbox } from '../subscribers/email.ts';
import { findKnown } from './import-subscribers.ts';

/**
 * Remembers people who have unsubscribed from another list as if they had left this one: a later file doesn't add them,
 * and a sign-up must be confirmed. Only the hash of their mailbox is stored. People on this list stay on it.
 * @param emails normalised email addresses
 * @param options.dryRun changes nothing
 * @param now milliseconds since 1970
 * @returns the addresses that are remembered now, and those of people who are on this list
 */
export async function keepOut(
  store: Store,
  emails: string[],
  { secret, dryRun }: { secret: string; dryRun: boolean },
  now: number,
): Promise<{ keptOut: string[]; onList: string[] }> {
  if (emails.length === 0) return { keptOut: [], onList: [] };
  return store.transaction(async (tx) => {
    const hashes = new Map(emails.map((email) => [hashMailbox(email, secret), email]));
    const known = await findKnown(tx, [...hashes.keys()]);
    const fresh = [...hashes].filter(([hash]) => !known.has(hash));
    if (!dryRun && fresh.length > 0) {
      const rows = fresh.map(([mailbox_hash]) => ({ subscriber_id: randomUUIDv7(), mailbox_hash, at: toIso(now) }));
      await tx
        .insertInto('erasures')
        .values(rows.map((row) => ({ ...row, why: 'left' as const })))
        .execute();
    }
    const onList = emails.filter((email) => known.get(hashMailbox(email, secret))?.result === 'existing');
    return { keptOut: fresh.map(([, email]) => email), onList };
  });
}
