import { randomUUIDv7 } from 'node:crypto';
import type { ConsentRecord } from '#store/schema.ts';

/** A new consent record; columns that do not apply to its event are left out. */
export function newConsentRecord(
  fields: Pick<ConsentRecord, 'subscriber_id' | 'event' | 'source' | 'at'> & Partial<ConsentRecord>,
): ConsentRecord {
  const unset = { wording_version: null, form: null, evidence: null, address_hash: null, mailbox_hash: null };
  return { id: randomUUIDv7(), ...unset, ...fields };
}
