import { randomUUIDv7 } from 'node:crypto';
import { consentVersion } from '#list/consent-wording.ts';
import { OPTIONAL_FIELDS, optionalFields } from '#shared/sign-up-fields.ts';
import { iso } from '#store/iso-time.ts';
import { openStore, type Store } from '#store/open-store.ts';

export const WORDING = 'I consent to receiving occasional updates from the agency. *';
const DAY_MS = 24 * 3_600_000;
const SOURCES = ['Footer', 'Footer | utm_source=linkedin', 'Founder', 'Founder | utm_source=<b>linkedin</b>'];

/** A list of people as a store has it after some months, the newest first: `person0@…` signed up last. */
export async function seedList(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ databaseUrl: undefined, dataDir });
  try {
    await store.db
      .insertInto('consent_wordings')
      .values({ version: consentVersion(WORDING), wording: WORDING, first_shown_at: iso(Date.now()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    for (let start = 0; start < count; start += 500) await seedBatch(store, start, Math.min(count, start + 500), count);
  } finally {
    await store.close();
  }
}

async function seedBatch(store: Store, from: number, to: number, count: number): Promise<void> {
  const roles = ['', ...OPTIONAL_FIELDS.role.options];
  const people = Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const at = iso(Date.now() - ((index + 1) / count) * 80 * DAY_MS);
    const address = `person${index}@${['copperline', 'tidemark', 'halden-cloud'][index % 3]}.example`;
    const isLost = index % 50 === 7;
    return {
      id: randomUUIDv7(),
      address,
      normalised_address: address,
      mailbox: address,
      ...optionalFields(() => ''),
      role: roles[index % roles.length]!,
      first_source: SOURCES[index % SOURCES.length]!,
      state: isLost
        ? ('undeliverable' as const)
        : index % 20 === 3
          ? ('unsubscribed' as const)
          : ('subscribed' as const),
      undeliverable_reason: isLost ? '550 5.1.1 mailbox unavailable' : null,
      created_at: at,
      state_changed_at: at,
      engaged_at: at,
    };
  });
  const consents = people.map(({ id, first_source: source, created_at: at }) => ({
    id: randomUUIDv7(),
    subscriber_id: id,
    event: 'given' as const,
    wording_version: consentVersion(WORDING),
    form: source.split(' | ', 1)[0]!,
    source,
    at,
    address_hash: null,
  }));
  await store.transaction(async (tx) => {
    await tx.insertInto('subscribers').values(people).execute();
    await tx.insertInto('consent_records').values(consents).execute();
  });
}
