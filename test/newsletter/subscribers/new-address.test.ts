import { expect, onTestFinished, test, vi } from 'vitest';
import { readPage } from '../../read-page.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { purge } from '#newsletter/retention/purge.ts';
import { askNewAddress } from '#newsletter/subscribers/new-address.ts';
import { erase } from '#newsletter/subscribers/erase.ts';
import { readSubscriber } from '#newsletter/subscribers/read-subscribers.ts';
import { signToken, TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import { markUndeliverable } from '#newsletter/bounces/undeliverable.ts';
import { content } from '../../test-content.ts';
import { erasureOptions } from '../setup/erasing.ts';
import { readStates } from '../setup/quiet-list.ts';
import { onEachStore, signUp, type StoreName, startWithSmtp, waitUntil } from '../setup/running-newsletter.ts';

const DAY_MS = 24 * 3600_000;

/**
 * Anna signed up. `ask` sends a link to her new address and returns it; `unsubscribe` is the link in her first email.
 */
async function startWithAnna(name: StoreName = 'SQLite', variables: Record<string, string> = {}) {
  const { smtp, running } = await startWithSmtp(name, variables);
  const { store, newsletter } = running;
  await signUp(running.url, { email: 'anna@old.example', role: 'Founder' });
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const findLink = (mail: number, page: string) =>
    new RegExp(`http://\\S+/newsletter/${page}/\\S+`).exec(smtp.mails[mail]?.text ?? '')?.[0] ?? 'no link';
  const askFor = async (typed: string, id?: string) =>
    askNewAddress(store, id ?? (await running.people())[0]!.id, { typed, secret: newsletter.secret }, Date.now());
  const ask = async (typed: string) => {
    const before = smtp.mails.length;
    await askFor(typed);
    await waitUntil(() => expect(smtp.mails).toHaveLength(before + 1));
    return { mail: smtp.mails[before]!, link: findLink(before, 'new-address'), notMe: findLink(before, 'unsubscribe') };
  };
  return { smtp, running, askFor, ask, unsubscribe: findLink(0, 'unsubscribe') };
}

async function press(link: string): Promise<{ status: number; title: string }> {
  const response = await fetch(link, { method: 'POST' });
  return { status: response.status, title: readPage(await response.text()).title };
}

const MOVED = { status: 200, title: expect.stringContaining(content.pages.addressChanged.title) as string };
const BAD_LINK = { status: 400, title: expect.stringContaining(content.pages.badLink.title) as string };

onEachStore('a new address', (name) => {
  test('takes the old one’s place, with history and consent, once its mailbox presses the button', async () => {
    const { running, ask, unsubscribe } = await startWithAnna(name);
    const [before] = await running.people();
    const { mail, link } = await ask(' Anna.Berg@NEW.example ');
    expect(mail).toMatchObject({ to: 'Anna.Berg@new.example', subject: content.mail.newAddress.subject });
    const page = await fetch(link);
    expect([page.status, readPage(await page.text()).querySelector('main form button')?.textContent]).toEqual([
      200,
      content.pages.newAddress.button,
    ]);
    expect(await readStates(running)).toEqual(['anna@old.example subscribed']);

    expect(await press(link)).toEqual(MOVED);
    expect(await press(link)).toEqual(MOVED);
    const person = await readSubscriber(running.store.db, (await running.people())[0]!);
    expect(person).toMatchObject({
      id: before?.id,
      role: 'Founder',
      created_at: before?.created_at,
      newAddress: undefined,
    });
    expect(person?.consents.map(({ event, source }) => [event, source])).toEqual([
      ['given', 'Footer'],
      ['confirmed', 'new address'],
    ]);
    expect(person?.deliveries.map(({ kind }) => kind)).toEqual(['welcome', 'new-address']);
    expect(await running.people()).toHaveLength(1);

    // A link in an old email still unsubscribes, and can be undone.
    const left = await fetch(unsubscribe, { method: 'POST' });
    expect(await readStates(running)).toEqual(['Anna.Berg@new.example unsubscribed']);
    const undo = readPage(await left.text())
      .querySelector('main form[method="post"]')
      ?.getAttribute('action');
    expect((await press(running.url + undo)).status).toBe(200);
    expect(await readStates(running)).toEqual(['Anna.Berg@new.example subscribed']);
  });

  test('is erased together with the old one, and neither can be imported again', async () => {
    const { running, ask } = await startWithAnna(name);
    await press((await ask('anna@new.example')).link);
    await ask('anna@third.example');
    await erase(running.store, 'anna@new.example', erasureOptions(running));
    const { db } = running.store;
    for (const table of ['address_changes', 'former_mailboxes', 'subscribers'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect(await db.selectFrom('erasures').selectAll().execute()).toHaveLength(2);
  });

  test('stays subscribed if it joined the list in the meantime, and the old one is unsubscribed', async () => {
    const { running, ask } = await startWithAnna(name);
    const { link } = await ask('anna@new.example');
    await signUp(running.url, { email: 'anna@new.example' });
    expect(await press(link)).toEqual(MOVED);
    expect(await readStates(running)).toEqual(['anna@new.example subscribed', 'anna@old.example unsubscribed']);
  });
});

test('a renewal link in an email to the former address keeps them on the list', async () => {
  const { running, ask } = await startWithAnna();
  const { db } = running.store;
  const former = (await running.people())[0]!.mailbox_hash;
  await press((await ask('anna@new.example')).link);
  await db.updateTable('subscribers').set({ engaged_at: '2026-01-01T00:00:00.000Z' }).execute();

  const link = `${running.url}${TOKEN_PATHS.renew}/${signToken('renew', former, running.newsletter.secret)}`;
  const page = readPage(await (await fetch(link)).text());
  expect(page.querySelector('main form button')?.textContent).toBe(content.pages.renew.button);
  expect(await press(link)).toMatchObject({ status: 200 });
  const { engaged_at } = await db.selectFrom('subscribers').select('engaged_at').executeTakeFirstOrThrow();
  expect(engaged_at > '2026-01-02').toBe(true);
});

test('a former address can join again only by confirming once its person has unsubscribed, and its old confirmation link does nothing', async () => {
  const { running, ask, unsubscribe } = await startWithAnna('SQLite', { DOUBLE_OPT_IN: 'true' });
  const { newsletter, store } = running;
  const [{ id, mailbox_hash: former } = { id: '', mailbox_hash: '' }] = await running.people();
  const queuedAt = (await store.db.selectFrom('subscribers').select('confirmation_queued_at').executeTakeFirst())!;
  const token = signToken('confirm', former, newsletter.secret, queuedAt.confirmation_queued_at!);
  const confirmation = `${running.url}${TOKEN_PATHS.confirm}/${token}`;
  expect((await press(confirmation)).status).toBe(200);
  await press((await ask('anna@new.example')).link);
  expect((await fetch(confirmation)).status).toBe(200);
  expect((await press(confirmation)).status).toBe(200);
  expect(await running.people()).toMatchObject([{ id, email: 'anna@new.example' }]);

  await press(unsubscribe);
  expect(await press(confirmation)).toEqual(BAD_LINK);
  newsletter.env.DOUBLE_OPT_IN = false;
  await signUp(running.url, { email: 'anna@old.example' });
  expect(await readStates(running)).toEqual(['anna@new.example unsubscribed', 'anna@old.example pending']);
});

test('a new address isn’t used after a week, “It wasn’t me”, another request, or an unsubscription', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { running, ask, unsubscribe } = await startWithAnna();
  const { db } = running.store;
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const old = await ask('anna@new.example');
  pass(7 * DAY_MS);
  expect(await press(old.link)).toEqual(BAD_LINK);
  await purge(running.store, { outbox: '', now: Date.now() });
  expect(await db.selectFrom('address_changes').selectAll().execute()).toEqual([]);

  const strangers = await ask('stranger@new.example');
  expect((await press(strangers.notMe)).status).toBe(200);
  expect(await press(strangers.link)).toEqual(BAD_LINK);

  const first = await ask('anna@first.example');
  pass(1000);
  const second = await ask('anna@second.example');
  expect(await press(first.link)).toEqual(BAD_LINK);
  expect(await readStates(running)).toEqual(['anna@old.example subscribed']);
  await press(unsubscribe);
  expect(await press(second.link)).toEqual(BAD_LINK);
  expect(await readStates(running)).toEqual(['anna@old.example unsubscribed']);
});

test('explains why a new address can’t be used', async () => {
  const { running, askFor } = await startWithAnna('SQLite', { TRUSTED_PROXY_HEADER: 'X-Client' });
  const [{ id } = { id: '' }] = await running.people();
  await signUp(running.url, { email: 'ben@example.org' });
  for (const [typed, sentence] of [
    ['anna@', '“anna@” is not an email address. Expected one such as anna@example.org.'],
    ['Anna+news@old.example', 'Anna+news@old.example is the mailbox that they already use.'],
    ['ben@example.org', 'ben@example.org is on your list already. Unsubscribe the old address instead.'],
  ]) {
    await expect(askFor(typed!, id)).rejects.toThrow(sentence);
  }
  for (const each of ['a', 'b', 'c']) await askFor(`${each}@new.example`, id);
  await expect(askFor('d@new.example', id)).rejects.toThrow('You have sent three of these emails');
  await running.store.db.updateTable('subscribers').set({ state: 'unsubscribed' }).execute();
  await expect(askFor('e@new.example', id)).rejects.toThrow('They have unsubscribed in the meantime.');
});

test('an undeliverable person is subscribed again at a new address, and isn’t marked if that address is rejected', async () => {
  const { smtp, running, ask, askFor } = await startWithAnna();
  const [{ id } = { id: '' }] = await running.people();
  await running.store.transaction((tx) => markUndeliverable(tx, id, '550 5.1.1 no such user', Date.now()));
  smtp.behave = (step, to) =>
    step === 'RCPT TO' && to === 'nobody@new.example' ? '550 5.1.1 no such user' : undefined;
  await askFor('nobody@new.example');
  await waitUntil(async () => expect((await running.deliveries()).at(-1)).toMatchObject({ state: 'failed' }));
  expect(await running.people()).toMatchObject([{ email: 'anna@old.example', state: 'undeliverable' }]);
  expect(await press((await ask('anna@new.example')).link)).toEqual(MOVED);
  expect(await running.people()).toMatchObject([
    { email: 'anna@new.example', state: 'subscribed', undeliverable_reason: null },
  ]);
});

test('a new address gets the person’s row in the sheet', async () => {
  const { running, ask } = await startWithAnna('SQLite', { SHEET_URL: 'https://sheet.invalid/exec' });
  await running.store.db
    .updateTable('deliveries')
    .set({ state: 'sent', finished_at: toIso(Date.now()) })
    .where('kind', '=', 'sheet-row')
    .execute();
  await press((await ask('anna@new.example')).link);
  const rows = (await running.deliveries()).filter(({ kind }) => kind.startsWith('sheet'));
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['sheet-erasure', 'sheet-row']);
  expect(rows.find(({ kind }) => kind === 'sheet-row')?.details).toContain('anna@new.example');
});
