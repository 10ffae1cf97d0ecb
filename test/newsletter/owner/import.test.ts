import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toIso } from '#newsletter/database/iso-time.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { erase } from '#newsletter/subscribers/erase.ts';
import { erasureOptions } from '../setup/erasing.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { openCommands, startQuietNewsletter, readStates } from '../setup/quiet-list.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { onEachStore, openPlace, signUp } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const DAY = 24 * 3_600_000;
const UNDELIVERABLE = { state: 'undeliverable', undeliverable_reason: '550 no such user' } as const;

/** The options that say how everybody on a list gave consent. */
function describeConsent(daysAgo: number): string[] {
  const day = toIso(Date.now() - daysAgo * DAY).slice(0, 10);
  return ['--wording', 'Yes, write to me.', '--source', 'Trade fair', '--date', day];
}

onEachStore('the list', (name) => {
  test('leaves known, unsubscribed, undeliverable and erased people alone, and names each', async () => {
    const { place, command } = await openCommands(name);
    const running = await startQuietNewsletter(place);
    for (const person of ['known', 'left', 'erased', 'refused']) {
      await signUp(running.url, { email: `${person}@example.org` });
    }
    await command('unsubscribe', 'left@example.org');
    await command('erase', 'erased@example.org');
    const refused = running.store.db.updateTable('subscribers').set(UNDELIVERABLE);
    await refused.where('email', '=', 'refused@example.org').execute();
    const file = join(place.DATA_DIR, 'list.csv');
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
      'long@example.org;Other;and more',
      // Other spellings of mailboxes that unsubscribed or were erased.
      'left+fair@example.org;',
      'erased+fair@example.org;',
      ';',
    ];
    writeFileSync(file, lines.join('\n'));

    const args = describeConsent(10);
    const withoutEvidence = { code: 1, errors: expect.stringMatching(/^--wording, --source and --date: expected/) };
    expect(await command('import', file)).toMatchObject(withoutEvidence);
    const withoutWording = { code: 1, errors: expect.stringMatching(/^--wording: expected/) };
    expect(await command('import', file, ...args, '--wording', '  ')).toMatchObject(withoutWording);
    const dry = await command('import', file, ...args, '--dry-run', '--json');
    const summary = { imported: 2, existing: 1, unsubscribed: 1, undeliverable: 1, erased: 1, duplicate: 3 };
    const known = JSON.parse(dry.output);
    expect(known).toMatchObject({ ...summary, unreadable: 2, empty: 1, beforeHeading: 0 });
    expect(known.leftOut.map((each: { line: number }) => each.line)).toEqual([2, 3, 4, 5, 7, 11, 12]);
    expect(known.notes).toEqual([{ line: 9, note: 'the role "Chef" isn’t one of the options, and was left empty' }]);
    expect(await running.people()).toHaveLength(3);

    const real = await command('import', file, ...args, '--json');
    expect(JSON.parse(real.output)).toMatchObject(summary);
    expect(real.errors).toMatch(/^line 8: .+"no address"\nline 10: .+\n$/);
    expect(real.code).toBe(1);
    expect(await readStates(running)).toEqual([
      'chef@example.org subscribed',
      'known@example.org subscribed',
      'left@example.org unsubscribed',
      'new@example.org subscribed',
      'refused@example.org undeliverable',
    ]);
    const { consents } = JSON.parse((await command('show', 'new@example.org', '--json')).output);
    expect(consents).toMatchObject([{ event: 'given', wording: 'Yes, write to me.', source: 'Trade fair' }]);
    expect(args).toContain(consents[0].at.slice(0, 10));
  });

  test('restores a backup without bringing back people who have unsubscribed or been erased since', async () => {
    const { place, command } = await openCommands(name, { SMTP_URL: 'smtp://127.0.0.1:1' });
    const running = await startQuietNewsletter(place);
    for (const person of ['stays', 'leaves', 'goes']) await signUp(running.url, { email: `${person}@example.org` });
    // Somebody who was erased before the backup, and has signed up again, stays on the list.
    await signUp(running.url, { email: 'again@example.org' });
    await erase(running.store, 'again@example.org', erasureOptions(running));
    await signUp(running.url, { email: 'again@example.org' });
    await queueForAll(running.store);
    const backup = join(place.DATA_DIR, 'backup');
    expect((await command('backup', backup)).code).toBe(0);
    await command('unsubscribe', 'leaves@example.org');
    await command('erase', 'goes@example.org');
    await seedSubscribers(running.store, 1, { prefix: 'later' });

    expect((await command('restore-backup', backup, '--replace')).errors).toMatch(/another (server|program)/);
    expect(await running.people()).toHaveLength(4);
    await running.stop();
    expect((await command('restore-backup', backup)).errors).toContain('There is already a list, with 4 people.');
    const restored = await command('restore-backup', backup, '--replace', '--json');
    expect(restored.errors).toBe('');
    const figures = { people: 3, unsubscribed: 1, erased: 1, heldMails: 2, pausedUpdates: 1 };
    expect(JSON.parse(restored.output)).toEqual(figures);
    const { deliveries } = JSON.parse((await command('status', '--json')).output);
    expect(deliveries).toEqual({ waiting: 1, failed: 2 });

    const again = await startQuietNewsletter(place);
    expect(await readStates(again)).toEqual([
      'again@example.org pending',
      'leaves@example.org unsubscribed',
      'stays@example.org subscribed',
    ]);
    expect(await listUpdates(again.store.db)).toMatchObject([
      { state: 'paused', state_reason: 'restored from a backup; people may have received it since' },
    ]);
    await again.stop();
    const { command: elsewhere } = await openCommands(name);
    const output = expect.stringContaining('Restored 4 people.');
    expect(await elsewhere('restore-backup', backup)).toMatchObject({ code: 0, output });
    expect((await elsewhere('list')).output).toContain('leaves@example.org');
  });

  test('leaves the list alone if the file isn’t a backup or has another secret', async () => {
    const { place, command } = await openCommands(name);
    const running = await startQuietNewsletter(place);
    await signUp(running.url);
    await running.stop();
    const backup = join(place.DATA_DIR, 'backup');
    await command('backup', backup);
    const other = join(place.DATA_DIR, 'other');
    const whole = readFileSync(backup);
    writeFileSync(other, whole.subarray(0, whole.length / 2));
    const damaged = { code: 1, errors: expect.stringContaining('other: the backup is damaged') };
    expect(await command('restore-backup', other, '--replace')).toMatchObject(damaged);
    const missing = { code: 1, errors: expect.stringContaining('nothing: there is no') };
    expect(await command('restore-backup', join(place.DATA_DIR, 'nothing'), '--replace')).toMatchObject(missing);
    const stranger = { ...place, SIGNING_SECRET: 'another secret than the one of the backup' };
    expect((await runCommand(stranger, 'restore-backup', backup, '--replace')).errors).toContain('SIGNING_SECRET');
    expect(existsSync(backup)).toBe(true);
    expect((await command('list')).output).toContain('anna@example.org');
  });
});

test('treats three spellings of one mailbox in a file as one person, and adds a consent from another file', async () => {
  const { place, command } = await openCommands('SQLite');
  const running = await startQuietNewsletter(place);
  const importFile = async (...lines: string[]) => {
    const file = join(place.DATA_DIR, 'list.csv');
    writeFileSync(file, ['Email', ...lines].join('\n'));
    return JSON.parse((await command('import', file, ...describeConsent(10), '--json')).output);
  };
  const spellings = ['anna.berg@gmail.com', 'annaberg@gmail.com', 'anna.berg@googlemail.com'];
  expect(await importFile(...spellings)).toMatchObject({ imported: 1, duplicate: 2 });
  expect(await importFile('annaberg+fair@gmail.com')).toMatchObject({ imported: 0, existing: 1 });
  expect(await running.people()).toMatchObject([{ email: 'anna.berg@gmail.com' }]);
});

test('leaves out a person who unsubscribed according to one line, under any spelling of the mailbox', async () => {
  const others = Array.from({ length: 300 }, (_, index) => `person${index}@example.org,subscribed`);
  const lines = ['address,state', 'anna+b@example.org,subscribed', ...others, 'anna@example.org,unsubscribed'];
  const { code, output } = await importLines(lines, ...describeConsent(10), '--json');
  const leftOut = [
    { line: 2, email: 'anna+b@example.org', why: 'line 303 says that they are not subscribed' },
    { line: 303, email: 'anna@example.org', why: 'state is "unsubscribed"' },
  ];
  expect([code, JSON.parse(output)]).toMatchObject([0, { imported: 300, 'left out': 2, leftOut }]);
});

test('imports the people of a file after hundreds of lines with nobody to import', async () => {
  const left = Array.from({ length: 300 }, (_, index) => `person${index}@example.org,unsubscribed`);
  const lines = ['address,state', ...left, 'anna@example.org,subscribed'];
  const { code, errors, output } = await importLines(lines, ...describeConsent(10), '--json');
  expect([code, errors]).toEqual([0, '']);
  expect(JSON.parse(output)).toMatchObject({ imported: 1, 'left out': 300 });
});

/** Imports a file with these lines into a new list. */
async function importLines(lines: string[], ...args: string[]) {
  const { place, command } = await openCommands();
  await (await openPlace(place)).close();
  const file = join(place.DATA_DIR, 'list.csv');
  writeFileSync(file, lines.join('\n'));
  const run = (...more: string[]) => command('import', file, ...args, ...more);
  return { ...(await run()), command, run };
}

test('shows how the columns are read, the first people, and each line that is left out in a dry run', async () => {
  const lines = [
    'Our newsletter',
    'E-mail;Company;Status;Opt-in date',
    'anna@example.org;"A; B";active;2026-03-04 10:11:12',
    'ben@example.org;C;unsubscribed;2026-03-04',
    'cy@example;C;active;2026-03-04',
    ';;;',
  ];
  const { code, output } = await importLines(lines, ...describeConsent(10), '--dry-run');
  expect(output).toBe(`Read as
  E-mail  the email address
  Status  whether they are subscribed
  Opt-in date  when they agreed

Ignored
  Company

The first people who would be imported
  anna@example.org  -  agreed 2026-03-04 10:11 London  Trade fair

Not imported
  line 4  ben@example.org  Status is "unsubscribed"
  line 5  expected an email address such as hello@example.org, but found "cy@example"

Kept out
  1 person has unsubscribed elsewhere and won’t be added by any other file. If they sign up, they will be asked to confirm.

In total
  1  would be imported
  1  left out
  1  unreadable
  1  empty
  1  before the header
`);
  expect(code).toBe(1);
});

test('asks about ambiguous dates, with both readings', async () => {
  const { code, errors, command, run } = await importLines(
    ['email,consent given', 'anna@example.org,04/03/2026'],
    ...describeConsent(10),
  );
  expect(errors).toBe(
    'line 2, consent given: 04/03/2026 could be 4 Mar 2026 (add --dates day-first) or 3 Apr 2026 (add --dates month-first)\n',
  );
  expect([code, (await run('--dates', 'month-first')).code]).toEqual([1, 0]);
  const { consents } = JSON.parse((await command('show', 'anna@example.org', '--json')).output);
  expect(consents).toMatchObject([{ at: '2026-04-03T00:00:00.000Z' }]);
});

test('reads all dates in the order of the one that is unambiguous', async () => {
  const lines = ['email,consent given', 'anna@example.org,04/03/2026', 'ben@example.org,25/03/2026'];
  const { code, output } = await importLines(lines, ...describeConsent(10), '--json');
  const first = [{ givenAt: '2026-03-04T00:00:00.000Z' }, { givenAt: '2026-03-25T00:00:00.000Z' }];
  expect([code, JSON.parse(output)]).toMatchObject([0, { imported: 2, first }]);
});

test.each(['04/03/2026', '2999-01-01'])('rejects --date %s', async (day) => {
  const errors = expect.stringContaining('Expected a day in the past');
  const lines = ['email', 'anna@example.org'];
  expect(await importLines(lines, ...describeConsent(10), '--date', day)).toMatchObject({ code: 1, errors });
});
