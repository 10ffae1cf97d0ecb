import { expect, test } from 'vitest';
import { applyReport } from '#mail/bounces/apply-report.ts';
import { readReport, readUnsubscribeToken } from '#mail/bounces/read-report.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { signToken } from '#list/tokens.ts';
import { complaint, deliveryReport, FULL, GONE, oneReader } from './bounce-reports.ts';
import { type RunningNewsletter, signUp } from './running-newsletter.ts';

const DAY = 24 * 3_600_000;

/** Does what the server does with a mail of its mailbox, whose parts a mail server separates. */
async function apply({ newsletter }: RunningNewsletter, source: string, now = Date.now()): Promise<boolean> {
  const { store, secret, env } = newsletter;
  const token = readUnsubscribeToken(source.split('\r\n\r\n', 1)[0] ?? '');
  const [, , machine = '', returned = ''] = source.split('--parts\r\n');
  const [machineHeaders = '', ...groups] = machine.split('\r\n\r\n');
  const parts = {
    machineHeaders,
    machinePart: groups.join('\r\n\r\n'),
    returnedPart: returned.slice(returned.indexOf('\r\n\r\n') + 4),
  };
  const report = token === undefined ? readReport(parts) : { kind: 'unsubscribe' as const, token };
  return report !== undefined && applyReport(store, report, { secret, env, now });
}

test('a permanent failure makes undeliverable with its reason, without any address', async () => {
  const { running, delivery, reader } = await oneReader();
  expect(await apply(running, deliveryReport(delivery.id, GONE))).toBe(true);
  const { state, undeliverable_reason } = await reader();
  expect(state).toBe('undeliverable');
  expect(undeliverable_reason).toMatch(
    /^a report says that the mailbox does not exist \(5\.1\.1 smtp; 550 5\.1\.1 .*no such user\)$/,
  );
  expect(undeliverable_reason).not.toContain('reader0');
});

test('the third mail that is reported as delayed within 30 days does so, however often each is reported', async () => {
  const { running, person, reader } = await oneReader();
  const { store } = running;
  const reportMail = async (days: number, times = 1) => {
    const mail = { ...createDelivery('welcome', person.id, {}, Date.now()), state: 'sent' as const };
    await store.db.insertInto('deliveries').values(mail).execute();
    for (let time = 0; time < times; time += 1) {
      const report = { ...FULL, action: 'delayed', diagnosis: `452 4.2.2 full, ${time}` };
      await apply(running, deliveryReport(mail.id, report), Date.now() - days * DAY);
    }
  };
  await reportMail(40);
  await reportMail(20, 3);
  await reportMail(10);
  expect((await reader()).state).toBe('subscribed');
  await reportMail(0);
  expect(await reader()).toMatchObject({
    state: 'undeliverable',
    undeliverable_reason: expect.stringMatching(
      /^3 emails within 30 days were delayed: a report says that the mailbox could not be reached \(4\.2\.2/,
    ),
  });
});

test('a policy, a limit or a full mailbox says nothing of the address, even when it is final', async () => {
  const { running, delivery, reader } = await oneReader();
  for (const status of ['5.7.1', '5.4.5', '5.3.0', '5.2.2', '5.1.8']) {
    expect(await apply(running, deliveryReport(delivery.id, { ...GONE, status }))).toBe(true);
  }
  expect((await reader()).state).toBe('subscribed');
});

test('a notice to the owner that is called spam, or comes back, is held against nobody on the list', async () => {
  const { running, person, reader } = await oneReader();
  const { db } = running.store;
  const details = { email: person.address } as never;
  const notice = { ...createDelivery('notice', person.id, details, Date.now()), state: 'sent' as const };
  await db.insertInto('deliveries').values(notice).execute();
  expect(await apply(running, complaint(notice.id))).toBe(true);
  expect(await apply(running, deliveryReport(notice.id, GONE))).toBe(true);
  expect((await reader()).state).toBe('subscribed');
  expect(await db.selectFrom('deliveries').selectAll().where('id', '=', notice.id).executeTakeFirst()).toMatchObject({
    state: 'failed',
    last_error: 'reported after it was sent: a complaint (abuse)',
  });
});

test('a complaint unsubscribes, and the evidence says so; a report of another type does nothing', async () => {
  const { running, delivery, reader } = await oneReader();
  expect(await apply(running, complaint(delivery.id, 'not-spam'))).toBe(false);
  expect((await reader()).state).toBe('subscribed');
  expect(await apply(running, complaint(delivery.id))).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
  const records = await running.store.db.selectFrom('consent_records').selectAll().execute();
  expect(records).toMatchObject([{ event: 'withdrawn', source: 'a complaint (abuse)' }]);
});

test('a mail to the List-Unsubscribe address unsubscribes by its signed subject alone', async () => {
  const { running, person, reader } = await oneReader();
  const mail = (subject: string) => `From: x@example.org\r\nSubject: ${subject}\r\n\r\nPlease.\r\n`;
  const token = signToken('unsubscribe', person.id, running.newsletter.secret);
  expect(await apply(running, mail(`unsubscribe ${person.id}.forged`))).toBe(false);
  expect(await apply(running, mail('unsubscribe'))).toBe(false);
  expect((await reader()).state).toBe('subscribed');
  expect(await apply(running, mail(`unsubscribe ${token}`))).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
});

test.each([
  ['of a mail that is not ours', deliveryReport('01a2008f-a314-770f-8280-000000000000', GONE)],
  ['that only speaks of one in its text', deliveryReport('unknown', GONE)],
  ['that is no report', 'From: a@example.org\r\nSubject: Hello\r\n\r\n550 5.1.1 no such user\r\n'],
])('a mail %s changes nothing', async (_, source) => {
  const { running, reader } = await oneReader();
  expect(await apply(running, source)).toBe(false);
  expect((await reader()).state).toBe('subscribed');
});

test('an undeliverable person comes back by signing up again', async () => {
  const { running, person, delivery, reader } = await oneReader();
  await apply(running, deliveryReport(delivery.id, GONE));
  await signUp(running.url, { email: person.address });
  expect(await reader()).toMatchObject({ state: 'subscribed', undeliverable_reason: null });
});
