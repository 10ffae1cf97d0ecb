import { Hono } from 'hono';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { addAccountPages } from '#desk/account-page.tsx';
import type { FormResult } from '#desk/desk-types.ts';
import { addSettings } from '#desk/settings.tsx';
import { openMailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import { readEnvironment, readOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { content as testContent } from '../../test-content.ts';
import { isImapMissing, startImap } from '../setup/imap-server.ts';
import {
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { startSmtp } from '../setup/smtp-server.ts';

const SITE_URL = 'https://www.agency.example';

/** The desk's settings of a running server. */
function openSettings(
  { store, newsletter: { secret, env } }: Pick<RunningNewsletter, 'store' | 'newsletter'>,
  content = testContent,
) {
  const results = new Map<string, FormResult>();
  const app = new Hono();
  const desk = {
    content,
    store,
    secret,
    env: { ...env },
    results,
    origin: SITE_URL,
    log: () => undefined,
    openTransport: () => openMailTransport({ smtpUrl: undefined, outbox: '', from: () => '' }),
  };
  app.use((context, next) => {
    context.setRenderer((page) => context.html(renderToStaticMarkup(page)));
    return next();
  });
  addSettings(app, desk);
  addAccountPages(app, desk);
  const read = async (path: string) => (await app.request(path)).text();
  const send = async (path: string, fields: Record<string, string>): Promise<FormResult> => {
    Object.assign(desk.env, await readEnvironment(store, secret, desk.env));
    const body = new URLSearchParams(fields);
    expect((await app.request(path, { method: 'POST', body })).status).toBe(303);
    return [...results.values()].at(-1)!;
  };
  return Object.assign(send, { read });
}

const account = (url: string, password = 'p@ss word/#') => {
  const { hostname: server, port } = new URL(url);
  return { action: 'save', server, port, user: 'site', password, to: 'owner@agency.example' };
};

onEachStore('settings', (name) => {
  test('saves a mail account after its server has accepted a test, and uses it without a restart', async () => {
    const running = await startNewsletter({ SITE_URL }, name);
    const send = openSettings(running);
    const [first, second] = [await startSmtp(), await startSmtp()];
    expect((await send('/desk/settings/mail-account', account(first.url))).notice).toContain('accepted a test email');
    expect(first.taken.map(({ to }) => to)).toEqual(['owner@agency.example']);

    second.behave = (step) => (step === 'AUTH' ? '535 5.7.8 Username and password not accepted' : undefined);
    const refused = await send('/desk/settings/mail-account', account(second.url));
    expect(refused.error?.message).toContain('Username and password not accepted');
    expect(refused.error?.field).toBe('password');
    second.behave = (step) => (step === 'MAIL FROM' ? '553 5.7.1 Sender address rejected' : undefined);
    const foreign = await send('/desk/settings/mail-account', account(second.url));
    expect(foreign.error?.message).toContain(`Your emails come from ${testContent.agency.email}: enter an address of`);
    expect(JSON.stringify(refused), 'nothing keeps the password').not.toContain('p@ss');

    const wrong = await send('/desk/settings/mail-account', { ...account(second.url), port: '99999' });
    expect(wrong.error).toMatchObject({ field: 'port', message: expect.stringContaining('port number') });

    // The server checks for new settings every second; until then, emails go to the outbox.
    await waitUntil(() => expect(running.newsletter.env.SMTP_URL).toContain(new URL(first.url).port));
    await signUp(running.url);
    await waitUntil(() => expect(first.taken.map(({ to }) => to)).toContain('anna@example.org'));
    expect(second.taken).toEqual([]);
  });

  test('changes double opt-in, notices and caps without a restart', async () => {
    const running = await startNewsletter({}, name);
    const send = openSettings(running);
    const fields = { action: 'save', shown: 'NOTIFY_TO SUMMARY', NOTIFY_TO: 'owner@agency.example' };
    expect((await send('/desk/settings', fields)).notice).toContain('Saved');
    await send('/desk/settings', {
      action: 'save',
      shown: 'DOUBLE_OPT_IN SHEET_URL',
      DOUBLE_OPT_IN: 'true',
      SHEET_URL: '',
    });
    await send('/desk/settings', { action: 'save', shown: 'MAIL_HOURLY_CAP', MAIL_HOURLY_CAP: '7' });
    const { env } = running.newsletter;
    await waitUntil(() => expect(env).toMatchObject({ DOUBLE_OPT_IN: true, SUMMARY: false, MAIL_HOURLY_CAP: 7 }));
    await signUp(running.url);
    expect((await running.people()).map(({ state }) => state)).toEqual(['pending']);
    const wrong = await send('/desk/settings', { action: 'save', shown: 'MAIL_HOURLY_CAP', MAIL_HOURLY_CAP: 'many' });
    expect(wrong.error).toMatchObject({ field: 'MAIL_HOURLY_CAP', fields: { MAIL_HOURLY_CAP: 'many' } });
  });

  test('encrypts passwords, and treats them as not set with another signing secret', async () => {
    const running = await startNewsletter({ SITE_URL }, name);
    const send = openSettings(running);
    await send('/desk/settings/mail-account', account((await startSmtp()).url));
    const sheet = { shown: 'SHEET_URL', SHEET_URL: 'https://script.google.com/macros/s/AKf-key/exec?secret=hidden' };
    await send('/desk/settings', { action: 'save', ...sheet });
    const rows = JSON.stringify(await running.store.db.selectFrom('settings').selectAll().execute());
    expect(rows).not.toMatch(/p(@|%40)ss|127\.0\.0\.1|AKf-key|hidden/);
    const { db } = running.store;
    const { values, unreadable } = await readOwnerValues(db, 'another secret');
    expect([values, unreadable.toSorted()]).toEqual([{}, ['SHEET_URL', 'SMTP_URL']]);
  });
});

test('says on the mail account’s page which password each provider accepts', async () => {
  const page = await openSettings(await startNewsletter()).read('/desk/settings/mail-account');
  const [form = '', advice = ''] = page.split('<h2>Which password?');
  expect(form).toContain('Password');
  expect(advice).toMatch(/Outlook\.com, Hotmail\..*accept no password from a program like this/);
  expect(advice).toMatch(/Microsoft 365\..*no password will work/);
  expect(advice).toMatch(/Gmail, Google Workspace\..*only an app password/);
});

test('names the address that emails come from, and says that the example’s address has to be replaced first', async () => {
  const running = await startNewsletter();
  const page = await openSettings(running).read('/desk/settings/mail-account');
  expect(page).toMatch(
    new RegExp(`come from ${testContent.agency.email}, your address under <a[^>]*>Addresses and offices`),
  );
  const agency = { ...testContent.agency, email: 'hello@larkfield.example' };
  const early = await openSettings(running, { ...testContent, agency }).read('/desk/settings/mail-account');
  expect(early).toMatch(/hello@larkfield\.example, the example’s address, .*First enter your own/);
});

test.skipIf(isImapMissing())('saves a bounce mailbox once it could be opened', async () => {
  const running = await startNewsletter();
  const send = openSettings(running);
  const imap = await startImap();
  onTestFinished(imap.stop);
  const { hostname: server, port, username: user, password } = new URL(imap.openMailbox().url);
  const fields = { action: 'save', server, port, user, folder: 'INBOX' };
  const refused = await send('/desk/settings/bounce-mailbox', { ...fields, password: 'wrong' });
  expect(refused.error?.field).toBe('password');
  expect(running.newsletter.env.BOUNCE_MAILBOX).toBeUndefined();
  await send('/desk/settings/bounce-mailbox', { ...fields, password });
  await waitUntil(() => expect(running.newsletter.env.BOUNCE_MAILBOX).toContain(`:${port}/INBOX`));
});

test('lets .env take precedence over what is set on the desk', async () => {
  const running = await startNewsletter({ NOTIFY_TO: 'file@agency.example', SUMMARY: 'off' });
  const send = openSettings(running);
  await send('/desk/settings', {
    action: 'save',
    shown: 'NOTIFY_TO SUMMARY',
    NOTIFY_TO: 'desk@agency.example',
    SUMMARY: 'on',
  });
  const { store, newsletter } = running;
  expect(await readEnvironment(store, newsletter.secret, newsletter.env)).toMatchObject({
    NOTIFY_TO: 'file@agency.example',
    SUMMARY: false,
  });
});
