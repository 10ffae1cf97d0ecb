import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readUnsentDeliveries } from '#newsletter/deliveries/queue/unsent.ts';
import { countAudience } from '#newsletter/updates/audience.ts';
import { removeErasedBytes } from '#newsletter/retention/erased-bytes.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { erase, removePeople } from '#newsletter/subscribers/erase.ts';
import { purge } from '#newsletter/retention/purge.ts';
import { erasureOptions, setLastPurge, waitForRetention } from '../setup/erasing.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { openFreshStore } from '../setup/run-queue.ts';
import { onEachStore, startNewsletter, type StoreName, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { watchLoop } from '../setup/watch-loop.ts';

const DAY = 24 * 3_600_000;

/** A server that has done its daily retention. */
async function startAfterRetention(name?: StoreName) {
  const running = await startNewsletter({}, name);
  await waitForRetention(running);
  return running;
}

test('leaves no email address of an erased person in the database file after the nightly retention', async () => {
  const running = await startAfterRetention();
  await running.newsletter.stopDeliveries();
  const { store, place } = running;
  await seedSubscribers(store, 300);
  await seedSubscribers(store, 300, { prefix: 'old', engagedDaysAgo: 800, state: 'unsubscribed' });
  const old = (await running.people()).filter(({ email }) => email.startsWith('old'));
  expect(await purge(store, erasureOptions(running))).toEqual({ erased: 300, filesRemain: false });
  const findLeft = () => {
    const files = readdirSync(place.DATA_DIR).filter((name) => name.startsWith('sign-ups'));
    const texts = files.map((name) => readFileSync(join(place.DATA_DIR, name), 'latin1'));
    return old.filter(({ email }) => texts.some((text) => text.includes(email)));
  };
  // SQLite copies rows when it splits a page, and keeps such a copy.
  const copier = new DatabaseSync(store.place);
  copier.exec(`pragma secure_delete = off; insert into metadata (name, value) values ('copy', '${old[0]!.email}')`);
  copier.exec("delete from metadata where name = 'copy'");
  copier.close();
  expect(findLeft()).not.toEqual([]);
  const reader = new DatabaseSync(store.place, { readOnly: true });
  reader.exec('begin; select count(*) from subscribers');
  await expect(removeErasedBytes(store, Date.now())).rejects.toThrow('database is locked');
  reader.close();
  await removeErasedBytes(store, Date.now());
  expect(findLeft()).toEqual([]);
  expect(await running.people()).toHaveLength(300);
});

test('rewrites the file only if somebody was erased since or during the last rewrite', async () => {
  const store = await openFreshStore();
  const fill = async () => {
    await sql`insert into metadata (name, value) values ('filler', hex(zeroblob(2000000)))`.execute(store.db);
    await store.db.deleteFrom('metadata').where('name', '=', 'filler').execute();
  };
  await fill();
  const readSize = () => statSync(store.place).size;
  const large = readSize();
  await removeErasedBytes(store, 1);
  expect(readSize()).toBe(large);
  await store.transaction((tx) => removePeople(tx, [{ id: 'somebody' }], 2));
  await removeErasedBytes(store, 2);
  const small = readSize();
  expect(small).toBeLessThan(large / 2);
  await fill();
  // The rewrite began at the time of the erasure.
  await removeErasedBytes(store, 3);
  expect(readSize()).toBeLessThan(large / 2);
  const rewrittenOnce = readSize();
  await fill();
  await removeErasedBytes(store, 4);
  expect(readSize()).toBeGreaterThan(rewrittenOnce);
});

test('delays nobody during a large purge', async () => {
  const running = await startAfterRetention();
  const { store } = running;
  const [first] = await seedSubscribers(store, 20_000);
  await seedSubscribers(store, 1000, { prefix: 'old', engagedDaysAgo: 800, state: 'unsubscribed' });
  await erase(store, first!, erasureOptions(running));
  const readLongestTurn = watchLoop();
  expect(await purge(store, erasureOptions(running))).toMatchObject({ erased: 1000 });
  expect(await readLongestTurn()).toBeLessThan(250);
});

onEachStore('the list', (name) => {
  test('deletes old deliveries, and sends nobody their update again', async () => {
    const running = await startAfterRetention(name);
    const { store } = running;
    await running.newsletter.stopDeliveries();
    const [email] = await seedSubscribers(store, 1, { secret: running.newsletter.secret });
    const { id } = (await running.people())[0]!;
    await queueForAll(store, { now: Date.now() - 100 * DAY });
    const sent = { state: 'sent', finished_at: toIso(Date.now() - 100 * DAY) } as const;
    await store.db.updateTable('updates').set(sent).execute();
    await store.db.updateTable('deliveries').set(sent).execute();
    await seedSubscribers(store, 1, { prefix: 'other' });
    const rows = [
      finished('welcome', id, 100),
      finished('sheet-row', id, 100),
      { ...finished('welcome', id, 80), id: 'recent' },
    ];
    await store.db.insertInto('deliveries').values(rows).execute();
    await setLastPurge(running, Date.now() - DAY);
    await running.stop();

    const again = await startNewsletter(running.place);
    await waitUntil(async () => expect(await again.deliveries()).toHaveLength(2));
    expect(await again.deliveries()).toMatchObject([{ kind: 'sheet-row' }, { kind: 'welcome' }]);
    const { db } = again.store;
    const audience = await countAudience(db, { file: 'update.md', textHash: 'hash' });
    expect(audience).toMatchObject({ total: 1, alreadySent: 1 });
    await erase(again.store, email!, erasureOptions(again));
    expect(await db.selectFrom('update_readers').selectAll().execute()).toEqual([]);
  });

  test('lists more deliveries than fit a batch, each once', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 1200);
    await queueForAll(store);
    const listed: string[] = [];
    for await (const batch of readUnsentDeliveries(store, ['waiting'])) {
      listed.push(...batch.map(({ id }) => id));
    }
    expect([listed.length, new Set(listed).size]).toEqual([1200, 1200]);
  });
});

function finished(kind: Delivery['kind'], subscriberId: string, daysAgo: number): Delivery {
  const then = Date.now() - daysAgo * DAY;
  return { ...createDelivery('welcome', subscriberId, {}, then), kind, state: 'sent', finished_at: toIso(then) };
}
