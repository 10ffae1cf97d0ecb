import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { iso } from '#store/iso-time.ts';
import { openStore } from '#store/open-store.ts';
import { queueUpdate } from '#mail/updates/queue-update.ts';
import { listUpdates } from '#mail/updates/update-states.ts';
import { findSubscriber } from '#list/read-subscribers.ts';
import { erase } from '#list/erase.ts';
import { runCommand } from './built-server.ts';
import { erasureOptions } from './erasing.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  type StoreName,
} from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';

const SECRET = 'a secret that every store of these tests shares';
const DAY = 24 * 3_600_000;

async function makeVariables(name: StoreName) {
  return { PATH: process.env.PATH ?? '', SIGNING_SECRET: SECRET, ...(await freshStore(name)) };
}

/** A store that exists, without anybody in it. */
async function emptyStore(name: StoreName) {
  const variables = await makeVariables(name);
  const running = await startQuietNewsletter(variables);
  await running.stop();
  return variables;
}

/** Without deliveries: a command blocks this process, which must not stop in the middle of a transaction. */
async function startQuietNewsletter(variables: Record<string, string>): Promise<RunningNewsletter> {
  const running = await startNewsletter(variables);
  await running.newsletter.stopDeliveries();
  return running;
}

async function peopleIn({ newsletter }: RunningNewsletter) {
  return newsletter.store.db
    .selectFrom('subscribers')
    .select(['address', 'state'])
    .orderBy('normalised_address')
    .execute();
}

onEachStore('the list', (name) => {
  test('what is exported, with everybody in it, can be imported elsewhere as it was', async () => {
    const variables = await makeVariables(name);
    const running = await startQuietNewsletter(variables);
    await signUp(running.url, { email: 'Anna@example.org', role: 'Founder', source: 'Founder | utm_source="a", b' });
    await signUp(running.url, { email: '=cmd@example.org', source: 'Footer | utm_source=first; second' });
    await signUp(running.url, { email: 'left@example.org' });
    expect(runCommand(variables, 'unsubscribe', 'left@example.org').code).toBe(0);
    const file = join(variables.DATA_DIR, 'everybody.csv');
    expect(runCommand(variables, 'export', '--state', 'all', '--file', file).code).toBe(0);

    const elsewhere = await emptyStore(name);
    const imported = runCommand(elsewhere, 'import', file, '--json');
    expect(imported).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(imported.output)).toMatchObject({ imported: 3, problems: [] });
    expect(runCommand(elsewhere, 'export', '--state', 'all', '--file', '-').output.split('\r\n').toSorted()).toEqual(
      readFileSync(file, 'utf8').split('\r\n').toSorted(),
    );
    expect(JSON.parse(runCommand(elsewhere, 'status', '--json').output).deliveries).toEqual({
      waiting: 0,
      failed: 0,
    });
    expect(JSON.parse(runCommand(elsewhere, 'import', file, '--json').output)).toMatchObject({
      imported: 0,
      known: 2,
      unsubscribed: 1,
    });
  });

  test('an import leaves known, unsubscribed, undeliverable and erased people as they are', async () => {
    const variables = await makeVariables(name);
    const running = await startQuietNewsletter(variables);
    for (const person of ['known', 'left', 'erased', 'refused']) {
      await signUp(running.url, { email: `${person}@example.org` });
    }
    runCommand(variables, 'unsubscribe', 'left@example.org');
    runCommand(variables, 'erase', 'erased@example.org');
    await running.newsletter.store.db
      .updateTable('subscribers')
      .set({ state: 'undeliverable', undeliverable_reason: '550 no such user' })
      .where('address', '=', 'refused@example.org')
      .execute();
    const file = join(variables.DATA_DIR, 'list.csv');
    const day = iso(Date.now() - 10 * DAY).slice(0, 10);
    const lines = [
      'Email;Role',
      'KNOWN@example.org;Founder',
      'left@example.org;',
      'erased@example.org;',
      'refused@example.org;',
      'new@example.org;Other',
      'NEW@example.org;',
      'no address;',
      'chef@example.org;Chef',
      'short@example.org',
      // Other spellings of mailboxes that refused.
      'left+fair@example.org;',
      'erased+fair@example.org;',
    ];
    writeFileSync(file, lines.join('\n'));

    const words = ['--wording', 'Yes, write to me.', '--source', 'Trade fair', '--date', day];
    expect(runCommand(variables, 'import', file)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^--wording: expected/),
    });
    const dry = runCommand(variables, 'import', file, ...words, '--dry-run', '--json');
    const summary = { imported: 1, known: 1, unsubscribed: 2, undeliverable: 1, erased: 2, 'twice in the file': 1 };
    expect(JSON.parse(dry.output)).toMatchObject(summary);
    expect(await peopleIn(running)).toHaveLength(3);

    const real = runCommand(variables, 'import', file, ...words, '--json');
    expect(JSON.parse(real.output)).toMatchObject(summary);
    expect(real).toMatchObject({
      code: 1,
      errors: [
        'line 8: expected an email address',
        'line 9: role: expected one of the roles offered, or an empty text',
        'line 10: expected as many cells as the first line has\n',
      ].join('\n'),
    });
    expect(await peopleIn(running)).toEqual([
      { address: 'known@example.org', state: 'subscribed' },
      { address: 'left@example.org', state: 'unsubscribed' },
      { address: 'new@example.org', state: 'subscribed' },
      { address: 'refused@example.org', state: 'undeliverable' },
    ]);
    const { consents } = JSON.parse(runCommand(variables, 'show', 'new@example.org', '--json').output);
    expect(consents).toMatchObject([{ event: 'given', wording: 'Yes, write to me.', source: 'Trade fair' }]);
    expect(consents[0].at).toContain(day);

    const old = ['--wording', 'Yes.', '--source', 'Fair', '--date', iso(Date.now() - 900 * DAY).slice(0, 10)];
    writeFileSync(file, 'address\nlong-ago@example.org\n');
    expect(runCommand(variables, 'import', file, ...old)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('line 2: consent given: expected within the last two years'),
    });
  });

  test('of one mailbox, an address that left and one that stayed are both imported, as the file has them', async () => {
    const variables = await emptyStore(name);
    const file = join(variables.DATA_DIR, 'list.csv');
    const others = Array.from({ length: 300 }, (_, index) => `person${index}@example.org,subscribed`);
    writeFileSync(
      file,
      ['address,state', 'anna@example.org,unsubscribed', ...others, 'anna+b@example.org,'].join('\n'),
    );
    const day = iso(Date.now() - 10 * DAY).slice(0, 10);
    const words = ['--wording', 'Yes, write to me.', '--source', 'Trade fair', '--date', day];
    expect(JSON.parse(runCommand(variables, 'import', file, ...words, '--json').output)).toMatchObject({
      imported: 302,
      unsubscribed: 0,
    });
    expect(JSON.parse(runCommand(variables, 'import', file, ...words, '--json').output)).toMatchObject({
      imported: 0,
      known: 301,
      unsubscribed: 1,
    });
  });

  test('an undeliverable person is listed with the reason, and can be restored', async () => {
    const variables = await makeVariables(name);
    const running = await startQuietNewsletter(variables);
    await signUp(running.url);
    expect(runCommand(variables, 'restore', 'anna@example.org').code).toBe(1);
    await running.newsletter.store.db
      .updateTable('subscribers')
      .set({ state: 'undeliverable', undeliverable_reason: '550 no such user' })
      .execute();
    expect(runCommand(variables, 'list', '--state', 'undeliverable').output).toContain('550 no such user');
    expect(runCommand(variables, 'restore', 'anna@example.org').code).toBe(0);
    expect(await peopleIn(running)).toEqual([{ address: 'anna@example.org', state: 'subscribed' }]);
  });

  test('all who became undeliverable since a time can be restored at once', async () => {
    const variables = await makeVariables(name);
    const running = await startQuietNewsletter(variables);
    const { store } = running.newsletter;
    const lost = { state: 'undeliverable' } as const;
    await seedSubscribers(store, 2, { ...lost, prefix: 'before', engagedDaysAgo: 3 });
    await seedSubscribers(store, 1100, { ...lost, prefix: 'since', engagedDaysAgo: 1 });
    await seedSubscribers(store, 1, { state: 'unsubscribed', prefix: 'left', engagedDaysAgo: 1 });
    const since = iso(Date.now() - 2 * DAY);
    expect(runCommand(variables, 'restore', '--since', since)).toEqual({
      code: 0,
      output: 'Restored: email goes to 1,100 people again.\n',
      errors: '',
    });
    const states = Object.groupBy(await peopleIn(running), ({ state }) => state);
    expect(states.subscribed).toHaveLength(1100);
    expect(states.undeliverable?.map(({ address }) => address)).toEqual(['before0@example.org', 'before1@example.org']);
    expect(states.unsubscribed).toHaveLength(1);
    expect(runCommand(variables, 'restore', '--since', since).output).toBe(
      'Nobody was marked undeliverable since then.\n',
    );
    expect(runCommand(variables, 'restore').errors).toContain('expected either an address, or --since');
    expect(runCommand(variables, 'restore', '--since', 'monday').errors).toContain('--since: expected a time such as');
    expect(runCommand(variables, 'restore', '--since', '2099-01-01T09:00').errors).toContain(
      '--since: expected a time that has passed',
    );
  });

  test('a backup is restored without bringing back who left or was erased since', async () => {
    const variables = { ...(await makeVariables(name)), SMTP_URL: 'smtp://127.0.0.1:1' };
    const running = await startQuietNewsletter(variables);
    for (const person of ['stays', 'leaves', 'goes']) await signUp(running.url, { email: `${person}@example.org` });
    // Somebody who was erased before the backup, and has signed up again, stays.
    await signUp(running.url, { email: 'again@example.org' });
    await erase(running.newsletter.store, 'again@example.org', erasureOptions(running));
    await signUp(running.url, { email: 'again@example.org' });
    const backup = join(variables.DATA_DIR, 'backup');
    expect(runCommand(variables, 'backup', backup).code).toBe(0);
    runCommand(variables, 'unsubscribe', 'leaves@example.org');
    runCommand(variables, 'erase', 'goes@example.org');
    await signUp(running.url, { email: 'later@example.org' });
    const stays = await findSubscriber(running.newsletter.store.db, 'stays@example.org');
    const delayed = { id: 'a mail that was delayed', subscriber_id: stays!.id, at: new Date().toISOString() };
    await running.newsletter.store.db.insertInto('bounces').values(delayed).execute();

    expect(runCommand(variables, 'restore-backup', backup, '--replace').errors).toMatch(/another (server|program)/);
    expect(await peopleIn(running)).toHaveLength(4);
    await running.stop();
    expect(runCommand(variables, 'restore-backup', backup).errors).toContain('There is a list already, with 4 people.');
    const restored = runCommand(variables, 'restore-backup', backup, '--replace', '--json');
    expect(restored.errors).toBe('');
    expect(JSON.parse(restored.output)).toEqual({
      people: 3,
      unsubscribed: 1,
      erased: 1,
      heldMails: 2,
      pausedUpdates: 0,
    });
    const { deliveries } = JSON.parse(runCommand(variables, 'status', '--json').output);
    expect(deliveries).toEqual({ waiting: 0, failed: 2 });

    const again = await startQuietNewsletter(variables);
    expect(await peopleIn(again)).toEqual([
      { address: 'again@example.org', state: 'pending' },
      { address: 'leaves@example.org', state: 'unsubscribed' },
      { address: 'stays@example.org', state: 'subscribed' },
    ]);
    expect(await again.newsletter.store.db.selectFrom('bounces').selectAll().execute()).toEqual([delayed]);
    await again.stop();
    const elsewhere = await makeVariables(name);
    expect(runCommand(elsewhere, 'restore-backup', backup)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Restored 4 people.'),
    });
    expect(runCommand(elsewhere, 'list').output).toContain('leaves@example.org');
    // The first backup of a list is the one that it was restored from, though it was not finished when it was made.
    utimesSync(backup, new Date('2020-01-01'), new Date('2020-01-01'));
    const tried = await makeVariables(name);
    runCommand(tried, 'restore-backup', backup);
    const { output } = runCommand(tried, 'status');
    expect(output).not.toMatch(/No backup yet|No backup for more than a week/);
    expect(output).toMatch(/Last backup +\d{4}-\d\d-\d\d \d\d:\d\d, Europe\/London/);
  });

  test('an update that a backup was sending is paused when that is restored', async () => {
    const variables = { ...(await makeVariables(name)), SMTP_URL: 'smtp://127.0.0.1:1' };
    const store = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
    await seedSubscribers(store, 3);
    const now = Date.now();
    const template = { subject: 'Pay', html: '<p>Pay</p>', text: 'Pay' };
    const update = {
      file: 'pay.md',
      contentHash: 'hash',
      template,
      expected: 3,
      sendAt: now,
      caps: { hourlyCap: 100, dailyCap: undefined },
    };
    await queueUpdate(store, update, now);
    await store.close();
    const backup = join(variables.DATA_DIR, 'backup');
    expect(runCommand(variables, 'backup', backup).code).toBe(0);
    const { output } = runCommand(variables, 'restore-backup', backup, '--replace');
    expect(output).toContain('Updates paused that may have gone out since: 1.');
    const restored = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
    onTestFinished(() => restored.close());
    expect(await listUpdates(restored.db)).toMatchObject([
      { state: 'paused', state_reason: 'restored from a backup; people may have had it since' },
    ]);
    const waiting = await restored.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute();
    expect(waiting).toHaveLength(3);
  });

  test('a file that is no backup, or of another secret, leaves the list as it was', async () => {
    const variables = await makeVariables(name);
    const running = await startQuietNewsletter(variables);
    await signUp(running.url);
    await running.stop();
    const backup = join(variables.DATA_DIR, 'backup');
    runCommand(variables, 'backup', backup);
    const other = join(variables.DATA_DIR, 'other');
    const whole = readFileSync(backup);
    writeFileSync(other, whole.subarray(0, whole.length / 2));
    for (const file of [other, join(variables.DATA_DIR, 'nothing')]) {
      expect(runCommand(variables, 'restore-backup', file, '--replace').code).toBe(1);
    }
    const stranger = { ...variables, SIGNING_SECRET: 'another secret than the one of the backup' };
    expect(runCommand(stranger, 'restore-backup', backup, '--replace').errors).toContain('SIGNING_SECRET');
    expect(existsSync(backup)).toBe(true);
    expect(runCommand(variables, 'list').output).toContain('anna@example.org');
  });
});
