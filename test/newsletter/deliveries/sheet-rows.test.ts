import { expect, test } from 'vitest';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { retryUnsent } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { erase } from '#newsletter/subscribers/erase.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { signToken } from '#newsletter/subscribers/tokens.ts';
import { erasureOptions } from '../setup/erasing.ts';
import { type RunningNewsletter, signUp, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';
import { type Answer, answerOk, startSheet } from '../setup/sheet-sink.ts';

/** A script and a newsletter that sends its sign-ups there. */
async function startWithSheet(answer: Answer = answerOk, variables = {}) {
  const sheet = await startSheet();
  sheet.answer = answer;
  return { sheet, running: await startNewsletter({ SHEET_URL: sheet.url, ...variables }) };
}

async function sheetDelivery({ deliveries }: RunningNewsletter) {
  return (await deliveries()).find(({ kind }) => kind === 'sheet-row');
}

/** Waits until the row's delivery is in this state. */
function isRow(running: RunningNewsletter, fields: Partial<Delivery>) {
  return waitUntil(async () => expect(await sheetDelivery(running)).toMatchObject(fields));
}

test('sends the row of somebody who unsubscribed before it was sent, with the same id and the time', async () => {
  const { sheet, running } = await startWithSheet((_, response) => response.writeHead(500).end());
  await signUp(running.url);
  await isRow(running, { attempts: 1, last_error: 'the sheet’s script failed (status 500)' });
  const { store, people } = running;
  await unsubscribe(store, (await people())[0]!.id, 'command', running.env, Date.now());
  sheet.answer = answerOk;
  await retryUnsent(store, Date.now());
  await isRow(running, { state: 'sent' });
  const row = { id: sheet.posts[0]?.id, email: 'anna@example.org' };
  expect(sheet.posts.find((post) => post.unsubscribed)).toMatchObject(row);
});

test('notifies the sheet and the agency when somebody unsubscribes', async () => {
  const notify = { NOTIFY_TO: 'owner@larkfield.example' };
  const { sheet, running } = await startWithSheet(answerOk, notify);
  await signUp(running.url);
  await isRow(running, { state: 'sent' });
  const token = signToken('unsubscribe', (await running.people())[0]!.mailbox_hash, running.newsletter.secret);
  const page = await fetch(`${running.url}/newsletter/unsubscribe/${token}`, { method: 'POST' });
  expect(page.status).toBe(200);
  await waitUntil(() => expect(sheet.posts).toHaveLength(2));
  expect(sheet.posts[1]).toMatchObject({ unsubscribe: [sheet.posts[0]?.id] });
  const notices = (await running.deliveries()).filter(({ kind }) => kind === 'unsubscribe-notice');
  expect(notices).toMatchObject([{ details: '{"email":"anna@example.org"}' }]);
});

test('asks the sheet to erase the rows of an erased person, without sending their email address', async () => {
  const { sheet, running } = await startWithSheet(answerOk);
  await signUp(running.url);
  await isRow(running, { state: 'sent' });
  const row = sheet.posts[0]?.id;
  await erase(running.store, 'anna@example.org', erasureOptions(running));
  await waitUntil(() => expect(sheet.posts).toHaveLength(2));
  expect(sheet.posts[1]).toMatchObject({ erase: [row] });
  expect(JSON.stringify(sheet.posts[1])).not.toContain('anna');
});

test('sends each sign-up to the sheet as specified, with an id and a time, and keeps only the id', async () => {
  const { sheet, running } = await startWithSheet(answerOk);
  await signUp(running.url, { role: 'Other', source: 'Footer | utm_source=linkedin' });
  await isRow(running, { state: 'sent', details: '{}' });
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

test('erases a row whose response was lost from the sheet, even after a retry', async () => {
  const { running } = await startWithSheet((request) => request.socket.destroy());
  await signUp(running.url);
  await isRow(running, { attempts: 1 });
  const { store } = running;
  const row = await sheetDelivery(running);
  await running.newsletter.stopDeliveries();
  await retryUnsent(store, Date.now());
  await erase(store, 'anna@example.org', erasureOptions(running));
  const [erasure] = await running.deliveries();
  expect(erasure).toMatchObject({ kind: 'sheet-erasure', details: JSON.stringify({ rows: [row?.id] }) });
  // The script may still be writing the row, so its erasure must come later.
  expect(Date.parse(erasure?.due_at ?? '')).toBeGreaterThan(Date.now() + 6 * 60_000);
});
