import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import { countUnsent } from '#newsletter/deliveries/queue/unsent.ts';
import { runBuilt, spawnCommand } from '../setup/built-server.ts';
import { runCommand, runUpdates } from '../setup/owner-commands.ts';
import {
  freshStore,
  onEachStore,
  openPlace,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
  waitUntilSent,
} from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { goOn, refuseEverybody } from '../setup/smtp-server.ts';

onEachStore('the owner', (name) => {
  test('lists and shows people, with the sentence that each agreed to', async () => {
    const { url, command } = await startNewsletter({}, name);
    await signUp(url, { email: 'anna@example.org', role: 'Head of Talent', source: 'Founder' });
    await signUp(url, { email: 'ben@longer-name.example' });

    const list = await command('list');
    expect(list.code).toBe(0);
    expect(list.output).toMatch(/^anna@example\.org {2}subscribed {2}Head of Talent .+\nben@.+\n$/);
    expect(JSON.parse((await command('list', '--json')).output)).toHaveLength(2);

    expect((await command('show', 'anna@EXAMPLE.org')).output).toContain(
      'I consent to receiving occasional updates from the agency. *',
    );
    const evidence = JSON.parse((await command('show', 'anna@example.org', '--json')).output);
    expect(evidence.consents).toMatchObject([
      { event: 'given', form: 'Founder', wording: expect.stringContaining('I consent') },
    ]);
    // Another spelling of a mailbox is the same person.
    await signUp(url, { email: 'eva.holm@gmail.com' });
    expect((await command('show', 'EvaHolm+news@googlemail.com')).output).toContain('eva.holm@gmail.com');
    expect((await command('unsubscribe', 'evaholm@gmail.com')).output).toBe('Unsubscribed.\n');

    const nobody = { code: 1, output: '', errors: 'Nobody with this email address is on the list.\n' };
    expect(await command('show', 'nobody@example.org')).toEqual(nobody);
  });

  test('exports subscribed people into a new file that a spreadsheet opens without running anything', async () => {
    const { url, env, command } = await startNewsletter({}, name);
    await signUp(url, { email: '=cmd@example.org', source: 'Footer | utm_source=a, "b"' });
    await signUp(url, { email: 'ben@example.org' });
    const file = join(env.DATA_DIR, 'export.csv');
    const output = `2 people written to ${file}\n`;
    expect(await command('export', '--format', 'csv', '--file', file)).toMatchObject({ code: 0, output });
    const [headings, first, second] = readFileSync(file, 'utf8').split('\r\n');
    const fields = OPTIONAL_FIELD_NAMES.map((field) => `"${field}"`).join();
    expect(headings).toBe(
      `\uFEFF"email","state",${fields},"first source","signed up","consent given","consent wording","wording version","form","consent evidence","confirmed","withdrawn","undeliverable because","updates received","former mailboxes"`,
    );
    expect(first).toMatch(/^"'=cmd@example\.org","subscribed",(?:"",)+"Footer \| utm_source=a, ""b""",/);
    expect(second).toMatch(/^"ben@example\.org",/);

    const exportState = async (...words: string[]) => (await command('export', ...words, '--file', '-')).output;
    expect((await command('unsubscribe', 'ben@example.org')).code).toBe(0);
    expect(await exportState()).not.toContain('ben@example.org');
    expect(await exportState('--state', 'unsubscribed')).toContain('ben@example.org');
    const json = JSON.parse(await exportState('--state', 'all', '--format', 'json'));
    expect(json).toHaveLength(2);
    expect(json[0].consents[0]).toMatchObject({ event: 'given', source: 'Footer | utm_source=a, "b"' });
  });
});

test('shows the owner which email was rejected, restores the person and sends it again', async () => {
  const { smtp, running } = await startWithSmtp();
  const { url, store, command, log } = running;
  smtp.behave = refuseEverybody;
  await signUp(url);
  await waitUntil(async () => expect(await countUnsent(store)).toEqual({ waiting: 0, failed: 1 }));
  const [failed] = JSON.parse((await command('deliveries', '--failed', '--json')).output);
  expect(failed).toMatchObject({ kind: 'welcome', state: 'failed' });
  expect((await command('deliveries')).output).toContain('550');
  const [delivery] = await running.deliveries();
  expect(`${delivery?.last_error} ${log.join('\n')}`).not.toContain('anna');

  smtp.behave = goOn;
  expect((await command('retry', 'no-such-id')).code).toBe(1);
  // A person whose mailbox rejected an email permanently is undeliverable until the owner restores them.
  expect((await command('list', '--state', 'undeliverable')).output).toMatch(/anna@example\.org.*550/);
  expect((await command('restore', 'anna@example.org')).code).toBe(0);
  expect((await command('restore', 'anna@example.org')).code).toBe(1);
  expect((await command('retry', failed.id)).code).toBe(0);
  await waitUntilSent(store);
  expect(smtp.mails).toMatchObject([{ messageId: expect.stringContaining(failed.id) }]);
  expect((await command('deliveries')).output).toBe('Nothing is waiting.\n');
});

test('unsubscribes and erases people while the server is running', async () => {
  const { url, command } = await startNewsletter();
  await signUp(url);
  expect(await command('unsubscribe', 'anna@example.org')).toMatchObject({ code: 0, output: 'Unsubscribed.\n' });
  expect((await command('unsubscribe', 'anna@example.org')).output).toBe('Already unsubscribed.\n');
  expect((await command('erase', 'anna@example.org')).code).toBe(0);
  expect((await command('show', 'anna@example.org')).errors).toMatch(/^Erased on \d{4}-\d\d-\d\d/);
  expect(JSON.parse((await command('list', '--json')).output)).toEqual([]);
});

test.each([
  ['subscribers', runCommand, 'erase'],
  ['updates', runUpdates, 'resume'],
])('exits %s with 2 for an unknown command, and with 0 after help', async (_, run, verb) => {
  const errors = expect.stringContaining("unknown command 'lsit'");
  expect(await run({}, 'lsit')).toMatchObject({ code: 2, errors });
  expect(await run({}, '--help')).toMatchObject({ code: 0, output: expect.stringContaining(verb) });
});

test('runs the built program for updates', async () => {
  expect(await runBuilt('updates', ['--help'], {})).toMatchObject({
    code: 0,
    output: expect.stringContaining('resume'),
  });
});

test('exits without an error if a long list is piped into head', async () => {
  const place = await freshStore();
  await seedSubscribers(await openPlace(place), 2000);
  const list = spawnCommand(place, 'list');
  list.stdout.once('data', () => list.stdout.destroy());
  const [errors] = await Promise.all([text(list.stderr), once(list, 'exit')]);
  expect([list.exitCode, errors]).toEqual([0, '']);
});

test('creates no database if a command is run in the wrong folder', async () => {
  const place = await freshStore();
  const errors = expect.stringContaining('There are no sign-ups in');
  expect(await runCommand(place, 'list')).toMatchObject({ code: 1, errors });
  expect(existsSync(join(place.DATA_DIR, 'sign-ups.db'))).toBe(false);
});
