import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askNewAddress, moveToNewAddress } from '#newsletter/subscribers/new-address.ts';
import { countAudience } from '#newsletter/updates/audience.ts';
import { openCommands, startQuietNewsletter, readStates } from '../setup/quiet-list.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { signUp } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

test('moves the subscribed people of a full export to another list unchanged, and names the others', async () => {
  const { place, command } = await openCommands();
  const { url, store } = await startQuietNewsletter(place);
  await signUp(url, { email: 'Anna@example.org', role: 'Founder', source: 'Founder | utm_source="a", b' });
  await signUp(url, { email: '=cmd@bücher.example', source: 'Footer | utm_source=first; second' });
  await signUp(url, { email: 'left@example.org' });
  await seedSubscribers(store, 1, { state: 'pending', prefix: 'pending' });
  expect((await command('unsubscribe', 'left@example.org')).code).toBe(0);
  const file = join(place.DATA_DIR, 'everybody.csv');
  expect((await command('export', '--state', 'all', '--file', file)).code).toBe(0);

  const { place: other, command: elsewhere } = await openCommands();
  await (await startQuietNewsletter(other)).stop();
  const imported = await elsewhere('import', file, '--json');
  expect(imported).toMatchObject({ code: 0, errors: '' });
  const leftOut = [
    { email: 'pending0@example.org', why: 'state is "pending"' },
    { email: 'left@example.org', why: 'state is "unsubscribed"' },
  ];
  expect(JSON.parse(imported.output)).toMatchObject({ imported: 2, 'left out': 2, problems: [], leftOut });
  const subscribed = readFileSync(file, 'utf8')
    .split('\r\n')
    .filter((line) => !/"(pending|unsubscribed)"/.test(line));
  const { output } = await elsewhere('export', '--state', 'all', '--file', '-');
  expect(output.split('\r\n').toSorted()).toEqual(subscribed.toSorted());
  const { deliveries } = JSON.parse((await elsewhere('status', '--json')).output);
  expect(deliveries).toEqual({ waiting: 0, failed: 0 });
  expect(JSON.parse((await elsewhere('import', file, '--json')).output)).toMatchObject({ imported: 0, existing: 2 });
});

test('includes in an export who received which update, so that nobody gets it twice on the other list', async () => {
  const { place, command } = await openCommands();
  const { store } = await startQuietNewsletter(place);
  await seedSubscribers(store, 2);
  const textHash = '0123456789abcdef';
  await queueForAll(store, { textHash });
  await store.db.updateTable('deliveries').set({ state: 'sent', finished_at: new Date().toISOString() }).execute();
  await seedSubscribers(store, 1, { prefix: 'late' });
  const file = join(place.DATA_DIR, 'everybody.csv');
  expect((await command('export', '--state', 'all', '--file', file)).code).toBe(0);

  const { place: other, command: elsewhere } = await openCommands();
  const moved = await startQuietNewsletter(other);
  // Somebody has already signed up on the new site.
  await seedSubscribers(moved.store, 1, { secret: moved.newsletter.secret });
  const args = ['--wording', 'Yes, send me updates.', '--source', 'Footer', '--date', '2026-11-01'];
  expect(await elsewhere('import', file, ...args)).toMatchObject({ code: 0, errors: '' });
  const update = { file: 'update.md', textHash };
  expect(await countAudience(moved.store.db, update)).toMatchObject({ total: 1, alreadySent: 2 });
  expect(await countAudience(moved.store.db, { ...update, textHash: 'fedcba9876543210' })).toMatchObject({
    total: 1,
    hadEarlier: 2,
  });
});

test('includes in an export which addresses people have moved from, so that an older file doesn’t add them again', async () => {
  const { place, command } = await openCommands();
  const running = await startQuietNewsletter(place);
  await signUp(running.url, { email: 'anna@old.example' });
  const [{ id } = { id: '' }] = await running.people();
  const older = join(place.DATA_DIR, 'older.csv');
  const newer = join(place.DATA_DIR, 'newer.csv');
  expect((await command('export', '--file', older)).code).toBe(0);
  const { secret } = running.newsletter;
  await askNewAddress(running.store, id, { typed: 'anna@new.example', secret }, Date.now());
  const asked = await running.store.db.selectFrom('address_changes').selectAll().executeTakeFirstOrThrow();
  const link = { mailboxHash: asked.mailbox_hash, queuedAt: asked.queued_at };
  expect(await moveToNewAddress(running.store, link, running.newsletter.env, Date.now())).toBe(true);
  expect((await command('export', '--file', newer)).code).toBe(0);

  const { place: other, command: elsewhere } = await openCommands();
  const moved = await startQuietNewsletter(other);
  expect(JSON.parse((await elsewhere('import', newer, '--json')).output)).toMatchObject({ imported: 1 });
  expect(JSON.parse((await elsewhere('import', older, '--json')).output)).toMatchObject({ imported: 0, existing: 1 });
  expect(await readStates(moved)).toEqual(['anna@new.example subscribed']);
});
