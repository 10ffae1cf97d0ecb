import type { Kysely } from 'kysely';

/**
 * One mailbox is one person, whatever its letter case: rows that differ only by case become one. All consent records
 * stay. Links in mails already sent name the merged rows, so their ids stay as aliases of the row that is kept.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('subscribers').addColumn('undeliverable_reason', 'text').execute();
  await db.schema
    .createTable('subscriber_aliases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subscriber_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('subscriber_aliases_of').on('subscriber_aliases').column('subscriber_id').execute();

  const people = await db.selectFrom('subscribers').selectAll().orderBy('created_at').orderBy('id').execute();
  const spellings = Map.groupBy(people, (person) => person.normalised_address.normalize('NFC').toLowerCase());
  for (const [folded, rows] of spellings) await merge(db, folded, rows);
}

type Person = {
  id: string;
  address: string;
  normalised_address: string;
  role: string;
  state: string;
  created_at: string;
  state_changed_at: string;
  engaged_at: string;
  mail_queued_at: string;
};

/** The tables as they are at this migration. */
type Tables = {
  subscribers: Person;
  subscriber_aliases: { id: string; subscriber_id: string };
  consent_records: { subscriber_id: string | null };
  deliveries: { subscriber_id: string | null };
};

/** @param rows of one mailbox, the oldest first: that one is kept */
async function merge(db: Kysely<Tables>, folded: string, rows: Person[]): Promise<void> {
  const [kept, ...others] = rows;
  if (kept === undefined) return;
  const merged = mergedPerson(folded, rows);
  if (others.length === 0 && merged.address === kept.address && folded === kept.normalised_address) return;
  const ids = others.map(({ id }) => id);
  if (ids.length > 0) {
    for (const table of ['consent_records', 'deliveries'] as const) {
      await db.updateTable(table).set({ subscriber_id: kept.id }).where('subscriber_id', 'in', ids).execute();
    }
    await db.deleteFrom('subscribers').where('id', 'in', ids).execute();
    const aliases = ids.map((id) => ({ id, subscriber_id: kept.id }));
    await db.insertInto('subscriber_aliases').values(aliases).execute();
  }
  await db.updateTable('subscribers').set(merged).where('id', '=', kept.id).execute();
}

function mergedPerson(folded: string, rows: Person[]) {
  // What the person did last counts; of two acts at one moment, leaving does.
  const byTime = rows.toSorted((a, b) => compare(b.state_changed_at, a.state_changed_at) || leaving(b) - leaving(a));
  const last = byTime[0]!;
  // Who is asked to confirm another spelling is subscribed all the same.
  const lastDecided = byTime.find(({ state }) => state !== 'pending');
  const decisive = last.state === 'pending' && lastDecided?.state === 'subscribed' ? lastDecided : last;
  return {
    address: deliverable(decisive),
    normalised_address: folded,
    role: byTime.find(({ role }) => role !== '')?.role ?? '',
    state: decisive.state,
    state_changed_at: decisive.state_changed_at,
    engaged_at: latest(rows.map((row) => row.engaged_at)),
    mail_queued_at: latest(rows.map((row) => row.mail_queued_at)),
  };
}

/** Mail goes to the typed spelling from now on; where the domain held more than a domain, to the one it was read as. */
function deliverable({ address, normalised_address }: Person): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? address : normalised_address;
}

function leaving({ state }: Person): number {
  return state === 'unsubscribed' ? 1 : 0;
}

function latest(times: string[]): string {
  return times.toSorted(compare).at(-1) ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
