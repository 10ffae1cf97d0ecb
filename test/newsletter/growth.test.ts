import { randomUUIDv7 } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countAudience } from '#mail/updates/audience.ts';
import { removeErasedBytes } from '#store/erased-bytes.ts';
import { newDelivery } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import type { Delivery } from '#store/schema.ts';
import { erase } from '#list/erase.ts';
import { planPurge, purge } from '#list/purge.ts';
import { runCommand } from './built-server.ts';
import { erasureOptions, setLastPurge, waitForRetention } from './erasing.ts';
import { freshStore, onEachStore, type RunningNewsletter, startNewsletter, waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { watchLoop } from './watch-loop.ts';

const DAY = 24 * 3_600_000;

async function addVisits({ newsletter }: RunningNewsletter, daysAgo: number): Promise<void> {
  const day = iso(Date.now() - daysAgo * DAY).slice(0, 10);
  await newsletter.store.db
    .insertInto('visits')
    .values({ day, page: '/', referrer: '', campaign: '', shown: 1, sign_ups: 0 })
    .execute();
}

const count = async ({ newsletter }: RunningNewsletter, table: 'visits' | 'sent_mails' | 'deliveries') =>
  (await newsletter.store.db.selectFrom(table).selectAll().execute()).length;

test('after the daily retention no address that was erased is in the database file', async () => {
  const variables = await freshStore('SQLite');
  const running = await startNewsletter(variables);
  await waitForRetention(running);
  const { store } = running.newsletter;
  await seedSubscribers(store, 1000);
  await seedSubscribers(store, 1000, { prefix: 'old', engagedDaysAgo: 800 });
  // In no order of the alphabet, and with rows that grow, SQLite divides pages, and copies rows when it does.
  await sql`update subscribers set normalised_address = lower(hex(randomblob(8))), undeliverable_reason = hex(randomblob(60))`.execute(
    store.db,
  );
  const old = await store.db
    .selectFrom('subscribers')
    .select('normalised_address')
    .where('address', 'like', 'old%')
    .execute();
  const erased = old.map(({ normalised_address }) => normalised_address);
  expect(await purge(store, { ...erasureOptions(running), confirmed: 1000 })).toMatchObject({
    erased: 1000,
    remaining: [],
  });
  await running.stop();

  const again = await startNewsletter(variables);
  const findLeft = () => {
    const files = readdirSync(variables.DATA_DIR).filter((name) => name.startsWith('sign-ups'));
    const texts = files.map((name) => readFileSync(join(variables.DATA_DIR, name), 'latin1'));
    return erased.filter((address) => texts.some((text) => text.includes(address)));
  };
  await waitUntil(() => expect(findLeft()).toEqual([]));
  expect(again.log.join()).not.toContain('Retention: not done');
  expect(await again.newsletter.store.db.selectFrom('subscribers').select('id').execute()).toHaveLength(1000);
});

test('a large file is rewritten at night only, since sign-ups wait for it', async () => {
  const running = await startNewsletter(await freshStore('SQLite'));
  await waitForRetention(running);
  await running.newsletter.stopDeliveries();
  const { store } = running.newsletter;
  const [address] = await seedSubscribers(store, 2);
  await sql`insert into metadata (name, value) values ('filler', hex(zeroblob(10000000)))`.execute(store.db);
  await store.db.deleteFrom('metadata').where('name', '=', 'filler').execute();
  await erase(store, address!, erasureOptions(running));
  const megabytes = () => statSync(store.place).size / 1e6;
  await removeErasedBytes(store, Date.parse('2026-11-23T12:00:00Z'));
  expect(megabytes()).toBeGreaterThan(15);
  await removeErasedBytes(store, Date.parse('2026-11-24T03:30:00Z'));
  expect(megabytes()).toBeLessThan(2);
});

onEachStore('the list', (name) => {
  test('a purge of many people among many holds nobody up', async () => {
    const running = await startNewsletter(await freshStore(name));
    await waitForRetention(running);
    const { store } = running.newsletter;
    const [first] = await seedSubscribers(store, 20_000);
    await seedSubscribers(store, 1000, { prefix: 'old', engagedDaysAgo: 800 });
    await erase(store, first!, erasureOptions(running));
    const readLongestTurn = watchLoop();
    expect(await planPurge(store, Date.now())).toMatchObject({ leaving: 1000, doubt: undefined });
    expect(await purge(store, erasureOptions(running))).toMatchObject({ erased: 1000 });
    expect(await readLongestTurn()).toBeLessThan(100);
  });

  test('under a clock three years ahead nothing is deleted by age', async () => {
    const variables = await freshStore(name);
    const running = await startNewsletter(variables);
    await waitForRetention(running);
    await running.newsletter.stopDeliveries();
    // Seen from three years ahead, all of this is too old to keep.
    await addVisits(running, 3 * 365);
    const { db } = running.newsletter.store;
    const taken_at = iso(Date.now() - 3 * 365 * DAY);
    await db
      .insertInto('sent_mails')
      .values({ delivery_id: 'a', kind: 'welcome', mailbox_hash: null, taken_at })
      .execute();
    await db
      .insertInto('deliveries')
      .values(finished('alert', null, 3 * 365))
      .execute();
    await setLastPurge(running, Date.now() - 3 * 365 * DAY);
    await running.stop();

    const ahead = await startNewsletter(variables);
    await waitUntil(() => expect(ahead.log.join()).toContain('Retention: held back'));
    await ahead.newsletter.stopDeliveries();
    expect(await count(ahead, 'visits')).toBe(1);
    expect(await count(ahead, 'sent_mails')).toBe(1);
    expect(await count(ahead, 'deliveries')).toBe(1);
    // The owner has looked at the clock.
    expect(runCommand({ PATH: process.env.PATH ?? '', ...variables }, 'purge', '--confirm', '0').code).toBe(0);
    await ahead.stop();
    const confirmed = await startNewsletter(variables);
    await waitUntil(async () => expect(await count(confirmed, 'visits')).toBe(0));
  });

  test('old deliveries are dropped, and nobody gets an update of then again', async () => {
    const variables = await freshStore(name);
    const running = await startNewsletter(variables);
    await waitForRetention(running);
    const { store } = running.newsletter;
    const [address] = await seedSubscribers(store, 2);
    const { id } = await store.db
      .selectFrom('subscribers')
      .select('id')
      .where('address', '=', address!)
      .executeTakeFirstOrThrow();
    const update = {
      id: randomUUIDv7(),
      file: 'pay.md',
      last_subscriber_id: '',
      give_up_at: '2026-01-01T00:00:00.000Z',
      roles: null,
      paused_from: null,
      content_hash: 'hash',
      subject: '',
      html: '',
      text: '',
    };
    const at = iso(Date.now() - 100 * DAY);
    const times = { queued_at: at, send_at: at, resumed_at: null, finished_at: at };
    const sent = { ...update, ...times, recipients: 1, state: 'sent', state_reason: null } as const;
    await store.db.insertInto('updates').values(sent).execute();
    const rows = [
      { ...finished('update', id, 100), update_id: update.id },
      finished('welcome', id, 100),
      { ...finished('sheet-row', id, 100), details: JSON.stringify({ email: address }) },
      { ...finished('welcome', id, 80), id: 'recent' },
    ];
    await store.db.insertInto('deliveries').values(rows).execute();
    await running.stop();

    const again = await startNewsletter(variables);
    await waitUntil(async () => expect(await count(again, 'deliveries')).toBe(2));
    const { db } = again.newsletter.store;
    const kept = await db.selectFrom('deliveries').select(['kind', 'details']).orderBy('kind').execute();
    expect(kept).toEqual([
      { kind: 'sheet-row', details: '{}' },
      { kind: 'welcome', details: '{}' },
    ]);
    const audience = await countAudience(db, { file: 'pay.md', contentHash: 'hash' });
    expect(audience).toMatchObject({ total: 1, alreadySent: 1 });
    await erase(again.newsletter.store, address!, erasureOptions(again));
    expect(await db.selectFrom('update_readers').selectAll().execute()).toEqual([]);
  });
});

test('150,000 deliveries that wait are listed', async () => {
  const variables = { PATH: process.env.PATH ?? '', ...(await freshStore('SQLite')) };
  const { newsletter } = await startNewsletter(variables);
  await newsletter.stopDeliveries();
  const { db } = newsletter.store;
  const first = newDelivery('alert', null, { subject: '', text: '' }, Date.now());
  await db.insertInto('deliveries').values(first).execute();
  const columns = Object.keys(first).filter((column) => column !== 'id');
  const rest = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 149999)
    insert into deliveries (id, ${rest}) select id || '-' || number, ${rest} from deliveries, numbers
  `.execute(db);
  const { code, output } = runCommand(variables, 'deliveries');
  expect(code).toBe(0);
  expect(output.split('\n')).toHaveLength(150_002);
  expect(output).toContain(`${first.id}-149999`);
});

function finished(kind: Delivery['kind'], subscriberId: string | null, daysAgo: number): Delivery {
  const then = Date.now() - daysAgo * DAY;
  return { ...newDelivery('welcome', subscriberId, {}, then), kind, state: 'sent', finished_at: iso(then) };
}
