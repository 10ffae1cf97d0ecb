import { formatLines } from '#newsletter/import/csv.ts';
import { importPeople } from '#newsletter/import/import-list.ts';
import { readList } from '#newsletter/import/read-list.ts';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { openStore } from '#newsletter/database/open-store.ts';
import { openSigningSecret } from '#newsletter/subscribers/signing-secret.ts';

export const WORDING = 'I consent to receiving occasional updates from the agency. *';
const DAY_MS = 24 * 3_600_000;
const SOURCES = ['Footer', 'Footer | utm_source=linkedin', 'Founder', 'Founder | utm_source=<b>linkedin</b>'];
const DOMAINS = ['copperline', 'tidemark', 'halden-cloud'];
const COLUMNS = ['email', 'role', 'first source', 'form', 'signed up', 'consent given', 'consent wording'];

/** A list as it is after some months, the newest first: `person0@…` signed up last. */
export async function seedList(dataDir: string, count: number): Promise<void> {
  const roles = ['', ...OPTIONAL_FIELDS.role.options];
  const people = Array.from({ length: count }, (_, index) => {
    const source = SOURCES[index % SOURCES.length]!;
    const at = toIso(Date.now() - ((index + 1) / count) * 80 * DAY_MS);
    const domain = index === 4 ? 'a-company-with-a-domain-of-sixty-letters-or-nearly' : DOMAINS[index % 3];
    const address = `person${index}@${domain}.example`;
    return [address, roles[index % roles.length], source, source.split(' | ', 1)[0], at, at, WORDING];
  });
  const store = await openStore({ databaseUrl: undefined, dataDir });
  try {
    const list = readList(formatLines([COLUMNS, ...people]), 'list.csv');
    await importPeople({ store, secret: await openSigningSecret(store, dataDir, undefined) }, list, {});
    for (const [index, [address = '']] of people.entries()) {
      const state = index % 50 === 7 ? 'undeliverable' : index % 20 === 3 ? 'unsubscribed' : 'subscribed';
      if (state === 'subscribed') continue;
      const reason = state === 'undeliverable' ? 'imported as undeliverable' : null;
      const person = store.db.updateTable('subscribers').where('email', '=', address);
      await person.set({ state, undeliverable_reason: reason }).execute();
    }
  } finally {
    await store.close();
  }
}
