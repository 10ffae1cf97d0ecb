import { expect, test } from 'vitest';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { erase } from '#list/erase.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { signToken } from '#list/tokens.ts';
import { erasureOptions } from './erasing.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  waitUntil,
} from './running-newsletter.ts';
import { type Answer, answerOk, type Sheet, startSheet } from './sheet-sink.ts';

async function sheetDelivery({ newsletter }: RunningNewsletter) {
  return newsletter.store.db.selectFrom('deliveries').selectAll().where('kind', '=', 'sheet-row').executeTakeFirst();
}

onEachStore('the sheet', (name) => {
  test('gets each sign-up as the specification writes it, with an id and a time', async () => {
    const sheet = await startSheet();
    const running = await startNewsletter({ ...(await freshStore(name)), SHEET_URL: sheet.url });
    await signUp(running.url, { role: 'Other', source: 'Footer | utm_source=linkedin' });
    await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
    const delivery = await sheetDelivery(running);
    expect(sheet.posts).toEqual([
      {
        id: delivery?.id,
        time: delivery?.queued_at,
        email: 'anna@example.org',
        name: '',
        ...optionalFields(() => ''),
        role: 'Other',
        source: 'Footer | utm_source=linkedin',
      },
    ]);
  });

  test('is asked to erase the rows of a person that the owner erases, and gets no address', async () => {
    const sheet = await startSheet();
    const running = await startNewsletter({ ...(await freshStore(name)), SHEET_URL: sheet.url });
    await signUp(running.url);
    await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
    const row = sheet.posts[0]?.id;
    const { store } = running.newsletter;
    await erase(store, 'anna@example.org', erasureOptions(running));
    await waitUntil(() => expect(sheet.posts).toHaveLength(2));
    expect(sheet.posts[1]).toMatchObject({ erase: [row] });
    expect(JSON.stringify(sheet.posts[1])).not.toContain('anna');
  });

  test('gets a message when somebody unsubscribes, and so does the agency', async () => {
    const sheet = await startSheet();
    const running = await startNewsletter({
      ...(await freshStore(name)),
      SHEET_URL: sheet.url,
      NOTIFY_TO: 'owner@larkfield.example',
    });
    await signUp(running.url);
    await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
    const { id } = await running.newsletter.store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
    const page = await fetch(
      `${running.url}/newsletter/unsubscribe/${signToken('unsubscribe', id, running.newsletter.secret)}`,
      {
        method: 'POST',
      },
    );
    expect(page.status).toBe(200);
    await waitUntil(() => expect(sheet.posts).toHaveLength(2));
    expect(sheet.posts[1]).toMatchObject({ unsubscribe: [sheet.posts[0]?.id] });
    const notices = running.newsletter.store.db.selectFrom('deliveries').select('details');
    expect(await notices.where('kind', '=', 'unsubscribe-notice').execute()).toEqual([
      { details: '{"email":"anna@example.org"}' },
    ]);
  });

  test('gets the row of somebody who left before it came with the time of leaving', async () => {
    const sheet = await startSheet();
    sheet.answer = (_, response) => response.writeHead(500).end();
    const running = await startNewsletter({ ...(await freshStore(name)), SHEET_URL: sheet.url });
    await signUp(running.url);
    const isTried = async () =>
      expect(await sheetDelivery(running)).toMatchObject({
        attempts: 1,
        last_error: 'the sheet’s script failed (status 500)',
      });
    await waitUntil(isTried);
    const { store } = running.newsletter;
    const { id } = await store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
    await unsubscribe(store, id, 'command', { toSheet: true, toAgency: false }, Date.now());
    sheet.answer = answerOk;
    await retryDeliveries(store, 'all', Date.now());
    await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
    expect(sheet.posts.find((post) => post.unsubscribed)).toMatchObject({ email: 'anna@example.org' });
  });
});

test('a row whose answer was lost is erased from the sheet too, also after a retry', async () => {
  const sheet = await startSheet();
  sheet.answer = (request) => request.socket.destroy();
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SHEET_URL: sheet.url });
  await signUp(running.url);
  await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ attempts: 1 }));
  const { store } = running.newsletter;
  const row = await sheetDelivery(running);
  await running.newsletter.stopDeliveries();
  await retryDeliveries(store, 'all', Date.now());
  await erase(store, 'anna@example.org', erasureOptions(running));
  const [erasure] = await store.db.selectFrom('deliveries').selectAll().execute();
  expect(erasure).toMatchObject({ kind: 'sheet-erasure', details: JSON.stringify({ rows: [row?.id] }) });
  // The script may still be at work on the row: its erasure must come after it.
  expect(Date.parse(erasure?.due_at ?? '')).toBeGreaterThan(Date.now() + 6 * 60_000);
});

const redirectTo =
  (target: (sheet: Sheet) => string): ((sheet: Sheet) => Answer) =>
  (sheet) =>
  (request, response) => {
    if (request.method === 'GET') answerOk(request, response);
    else response.writeHead(302, { Location: target(sheet) }).end();
  };

test("a script's redirect is followed with GET, as Apps Script wants it", async () => {
  const sheet = await startSheet();
  sheet.answer = redirectTo(() => '/answer?of=1')(sheet);
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SHEET_URL: sheet.url });
  await signUp(running.url);
  await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
  expect(sheet.methods).toEqual(['POST', 'GET']);
});

test("a script's redirect to another host is not followed", async () => {
  const [sheet, other] = [await startSheet(), await startSheet()];
  sheet.answer = redirectTo(() => other.url)(sheet);
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SHEET_URL: sheet.url });
  await signUp(running.url);
  const reason = 'the sheet’s script led to another address than its own';
  await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ last_error: reason }));
  expect(other.methods).toEqual([]);
});

test.each<[string, Answer, string]>([
  [
    'fails with 500',
    (_, response) => response.writeHead(500).end('{"ok":true}'),
    'the sheet’s script failed (status 500)',
  ],
  [
    'fails with a page and 200',
    (_, response) => response.end('<!doctype html><title>Error</title>'),
    'the sheet’s script answered something else than JSON',
  ],
  [
    'says it is busy',
    (_, response) => response.end('{"ok":false,"error":"busy"}'),
    'the sheet’s script refused the message (busy)',
  ],
  ['hangs up', (request) => request.socket.destroy(), 'the sheet’s script cannot be reached (UND_ERR_SOCKET)'],
])('a script that %s is tried again with the same id', async (_, answer, reason) => {
  const sheet = await startSheet();
  sheet.answer = answer;
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SHEET_URL: sheet.url });
  await signUp(running.url);
  await waitUntil(async () =>
    expect(await sheetDelivery(running)).toMatchObject({ state: 'waiting', attempts: 1, last_error: reason }),
  );
  sheet.answer = answerOk;
  await retryDeliveries(running.newsletter.store, 'all', Date.now());
  await waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject({ state: 'sent' }));
  expect(sheet.posts[1]).toEqual(sheet.posts[0]);
});
