import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import { onServer } from '#owner/subscribers/restore-backup.ts';
import { tryBackup } from '#owner/subscribers/try-backup.ts';
import { countUnsent } from '#mail/queue/unsent.ts';
import { runCommand } from './built-server.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  waitUntil,
  waitUntilSent,
} from './running-newsletter.ts';
import { startSmtp } from './smtp-sink.ts';

/** The command on the very store that a server is using. */
function commandOn({ env }: RunningNewsletter) {
  const variables = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: env.DATA_DIR,
    ...(env.DATABASE_URL && { DATABASE_URL: env.DATABASE_URL }),
  };
  return (...words: string[]) => runCommand(variables, ...words);
}

onEachStore('the owner', (name) => {
  test('lists and shows people, with the sentence that each agreed to', async () => {
    const running = await startNewsletter(await freshStore(name));
    await signUp(running.url, { email: 'anna@example.org', role: 'Head of Talent', source: 'Founder' });
    await signUp(running.url, { email: 'ben@longer-name.example' });
    const subscribers = commandOn(running);

    const list = subscribers('list');
    expect(list.code).toBe(0);
    const [headings, anna, ben] = list.output.split('\n');
    expect(anna).toMatch(/^anna@example\.org +subscribed +Head of Talent /);
    expect(ben?.indexOf('subscribed')).toBe(headings?.indexOf('State'));
    expect(JSON.parse(subscribers('list', '--json').output)).toHaveLength(2);

    const show = subscribers('show', 'anna@EXAMPLE.org');
    expect(show.output).toContain('I consent to receiving occasional updates from the agency. *');
    const evidence = JSON.parse(subscribers('show', 'anna@example.org', '--json').output);
    expect(evidence.consents).toMatchObject([
      { event: 'given', form: 'Founder', wording: expect.stringContaining('I consent') },
    ]);
    expect(subscribers('show', 'nobody@example.org')).toMatchObject({
      code: 1,
      output: '',
      errors: 'Nobody with this address is known.\n',
    });
  });

  test('exports subscribed people into a new file that a spreadsheet opens without running anything', async () => {
    const running = await startNewsletter(await freshStore(name));
    await signUp(running.url, { email: '=cmd@example.org', source: 'Footer | utm_source=a, "b"' });
    await signUp(running.url, { email: 'ben@example.org' });
    const file = join(running.env.DATA_DIR, 'export.csv');
    expect(commandOn(running)('export', '--format', 'csv', '--file', file)).toMatchObject({
      code: 0,
      output: `2 people written to ${file}\n`,
    });
    const [headings, first, second] = readFileSync(file, 'utf8').split('\r\n');
    const fields = OPTIONAL_FIELD_NAMES.map((field) => `"${field}"`).join();
    expect(headings).toBe(
      `\uFEFF"address","state",${fields},"first source","signed up","consent given","consent wording","wording version","form","consent evidence","confirmed","withdrawn","undeliverable because"`,
    );
    expect(first).toMatch(/^"'=cmd@example\.org","subscribed",(?:"",)+"Footer \| utm_source=a, ""b""",/);
    expect(second).toMatch(/^"ben@example\.org",/);
    expect(statSync(file).mode & 0o077).toBe(0);

    const again = commandOn(running)('export', '--file', file);
    expect(again).toMatchObject({ code: 1, errors: `${file} exists; expected the name of a new file\n` });
    expect(readFileSync(file, 'utf8')).toContain('ben@example.org');

    expect(commandOn(running)('unsubscribe', 'ben@example.org').code).toBe(0);
    expect(commandOn(running)('export', '--file', '-').output).not.toContain('ben@example.org');
    expect(commandOn(running)('export', '--state', 'unsubscribed', '--file', '-').output).toContain('ben@example.org');
    const json = JSON.parse(commandOn(running)('export', '--state', 'all', '--format', 'json', '--file', '-').output);
    expect(json).toHaveLength(2);
    expect(json[0].consents[0]).toMatchObject({ event: 'given', source: 'Footer | utm_source=a, "b"' });
  });

  test('unsubscribes and erases while the server runs', async () => {
    const running = await startNewsletter(await freshStore(name));
    await signUp(running.url);
    const subscribers = commandOn(running);
    expect(subscribers('unsubscribe', 'anna@example.org')).toMatchObject({ code: 0, output: 'Unsubscribed.\n' });
    expect(subscribers('unsubscribe', 'anna@example.org').output).toBe('Was unsubscribed already.\n');
    expect(subscribers('erase', 'anna@example.org').code).toBe(0);
    expect(subscribers('show', 'anna@example.org').errors).toMatch(/^Erased on \d{4}-\d\d-\d\d/);
    expect(JSON.parse(subscribers('list', '--json').output)).toEqual([]);
    expect(JSON.parse(subscribers('purge', '--dry-run', '--json').output)).toEqual([]);
  });

  test('sees what failed and sends it again', async () => {
    const smtp = await startSmtp();
    smtp.behaviour = 'refuse for good';
    const running = await startNewsletter({ ...(await freshStore(name)), SMTP_URL: smtp.url });
    await signUp(running.url);
    await waitUntil(async () => expect(await countUnsent(running.newsletter.store)).toMatchObject({ failed: 1 }));
    const subscribers = commandOn(running);
    const [failed] = JSON.parse(subscribers('deliveries', '--failed', '--json').output);
    expect(failed).toMatchObject({ kind: 'welcome', state: 'failed' });
    expect(subscribers('deliveries').output).toContain('550');

    smtp.behaviour = 'accept';
    expect(subscribers('retry', 'no-such-id').code).toBe(1);
    // A person refused for good counts as undeliverable until the owner restores them.
    const undeliverable = () => JSON.parse(subscribers('list', '--state', 'undeliverable', '--json').output);
    await waitUntil(() => expect(undeliverable()).toHaveLength(1));
    expect(subscribers('restore', 'anna@example.org').code).toBe(0);
    expect(subscribers('retry', failed.id).code).toBe(0);
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    await waitUntilSent(running.newsletter.store);
    expect(subscribers('deliveries').output).toBe('Nothing waits.\n');
  });

  test('backs everything up into a new file, and never over an old one', async () => {
    const running = await startNewsletter(await freshStore(name));
    await signUp(running.url);
    const file = join(running.env.DATA_DIR, 'backup');
    expect(commandOn(running)('backup', file)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o077).toBe(0);
    const before = readFileSync(file);
    expect(before.subarray(0, 5).toString()).toBe(name === 'SQLite' ? 'SQLit' : 'PGDMP');
    expect(commandOn(running)('backup', file).code).toBe(1);
    expect(readFileSync(file)).toEqual(before);
  });

  test('tries a backup beside the list, which stays as it is', async () => {
    const running = await startNewsletter(await freshStore(name));
    await signUp(running.url);
    const file = join(running.env.DATA_DIR, 'backup');
    commandOn(running)('backup', file);
    await signUp(running.url, { email: 'ben@example.org' });
    const { env, newsletter } = running;
    expect(await tryBackup({ env, secret: newsletter.secret }, file)).toBe(1);
    expect(JSON.parse(commandOn(running)('list', '--json').output)).toHaveLength(2);
    let trials = 0;
    const count = "select count(*)::int as number from pg_database where datname like 'backup_trial%'";
    if (env.DATABASE_URL) {
      await onServer(env.DATABASE_URL, async (client) => (trials = (await client.query(count)).rows[0].number));
    }
    expect(trials).toBe(0);
  });
});

test('a backup of a SQLite store is a store', async () => {
  const running = await startNewsletter(await freshStore('SQLite'));
  await signUp(running.url);
  const file = join(running.env.DATA_DIR, 'backup');
  commandOn(running)('backup', file);
  const copy = new DatabaseSync(file, { readOnly: true });
  expect(copy.prepare('select address from subscribers').all()).toEqual([{ address: 'anna@example.org' }]);
  copy.close();
});

test('a command that is not understood ends with 2 and says so, help with 0', async () => {
  const variables = await freshStore('SQLite');
  expect(runCommand(variables, 'lsit')).toMatchObject({
    code: 2,
    errors: expect.stringContaining("unknown command 'lsit'"),
  });
  expect(runCommand(variables, 'show')).toMatchObject({ code: 2 });
  expect(runCommand(variables, 'export', '--format', 'xml')).toMatchObject({ code: 2 });
  expect(runCommand(variables, '--help')).toMatchObject({ code: 0, output: expect.stringContaining('erase') });
});

test('a command in the wrong place makes no empty database there', async () => {
  const variables = await freshStore('SQLite');
  const { code, errors } = runCommand(variables, 'list');
  expect(code).toBe(1);
  expect(errors).toContain('No sign-ups are kept in');
  expect(existsSync(join(variables.DATA_DIR, 'sign-ups.db'))).toBe(false);
});
