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
 * @returns how many people are newly remembered, and the addresses of those who are on this list
 */
export async function keepOut(
  store: Store,
  emails: string[],
  { secret, dryRun }: { secret: string; dryRun: boolean },
  now: number,
): Promise<{ keptOut: number; onList: string[] }> {
  if (emails.length === 0) return { keptOut: 0, onList: [] };
  return store.transaction(async (tx) => {
    const people = emails.map((email) => ({ email, hash: hashMailbox(email, secret) }));
    const hashes = [...new Set(people.map(({ hash }) => hash))];
    const known = await findKnown(tx, hashes);
    const fresh = hashes.filter((hash) => !known.has(hash));
    if (!dryRun && fresh.length > 0) {
      const row = { why: 'left', at: toIso(now) } as const;
      const rows = fresh.map((mailbox_hash) => ({ ...row, subscriber_id: randomUUIDv7(), mailbox_hash }));
      await tx.insertInto('erasures').values(rows).execute();
    }
    const onList = people.filter(({ hash }) => known.get(hash)?.result === 'existing').map(({ email }) => email);
    return { keptOut: fresh.length, onList };
  });
}
