import { expect, test } from 'vitest';
import { applyReport } from '#newsletter/bounces/apply-report.ts';
import type { BounceReport } from '#newsletter/bounces/read-report.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { signToken } from '#newsletter/subscribers/tokens.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { openFreshStore } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { oneReader } from '../setup/bounce-reports.ts';
import { type RunningNewsletter, signUp } from '../setup/running-newsletter.ts';

const about = (id: string) => ({ deliveryIds: [id], token: undefined, updateId: undefined });

function apply({ newsletter }: RunningNewsletter, report: BounceReport, now = Date.now()): Promise<boolean> {
  const { store, secret, env } = newsletter;
  return applyReport(store, report, { secret, env, now });
}

test('marks the email as failed and its recipient as undeliverable on a permanent failure; signing up again undoes that', async () => {
  const { running, person, delivery, reader } = await oneReader();
  const reason = 'a report says that the mailbox does not exist (5.1.1)';
  expect(await apply(running, { kind: 'failure', fault: 'mailbox', mail: about(delivery.id), reason })).toBe(true);
  expect(await reader()).toMatchObject({ state: 'undeliverable', undeliverable_reason: reason });
  const failed = running.store.db.selectFrom('deliveries').selectAll().where('id', '=', delivery.id);
  expect(await failed.executeTakeFirst()).toMatchObject({ state: 'failed', fault: 'mailbox' });
  await signUp(running.url, { email: person.email });
  expect(await reader()).toMatchObject({ state: 'subscribed', undeliverable_reason: null });
});

test('marks nobody for a rejection that isn’t about the mailbox, or for a report about another email', async () => {
  const { running, delivery, reader } = await oneReader();
  const reason = 'a policy';
  expect(await apply(running, { kind: 'failure', fault: 'sender', mail: about(delivery.id), reason })).toBe(true);
  expect(await apply(running, { kind: 'failure', fault: 'mailbox', mail: about('unknown'), reason })).toBe(false);
  expect((await reader()).state).toBe('subscribed');
});

test('marks nobody on the list if a notice to the owner bounces or is reported as spam', async () => {
  const { running, person, reader } = await oneReader();
  const { db } = running.store;
  const details = { email: person.email } as never;
  const notice = { ...createDelivery('notice', person.id, details, Date.now()), state: 'sent' as const };
  await db.insertInto('deliveries').values(notice).execute();
  const mail = about(notice.id);
  const reason = 'a complaint (abuse)';
  expect(await apply(running, { kind: 'failure', fault: 'mailbox', mail, reason })).toBe(true);
  expect(await apply(running, { kind: 'complaint', mail, reason })).toBe(true);
  expect((await reader()).state).toBe('subscribed');
  expect(await db.selectFrom('deliveries').selectAll().where('id', '=', notice.id).executeTakeFirst()).toMatchObject({
    state: 'failed',
    last_error: 'reported after it was sent: a complaint (abuse)',
  });
});

test('unsubscribes somebody who complains, and records that as the evidence', async () => {
  const { running, delivery, reader } = await oneReader();
  const reason = 'a complaint (abuse)';
  expect(await apply(running, { kind: 'complaint', mail: about(delivery.id), reason })).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
  const records = await running.store.db.selectFrom('consent_records').selectAll().execute();
  expect(records).toMatchObject([{ event: 'withdrawn', source: reason }]);
});

test('matches a report by our unsubscribe link if the relay replaced the Message-ID, as Amazon SES does', async () => {
  const { running, person, reader } = await oneReader();
  await running.store.db.updateTable('deliveries').set({ finished_at: new Date().toISOString() }).execute();
  const token = signToken('unsubscribe', person.mailbox_hash, running.newsletter.secret);
  const report = (of: string): BounceReport => {
    const mail = { deliveryIds: [], token: of, updateId: undefined };
    return { kind: 'failure', fault: 'mailbox', mail, reason: 'a report' };
  };
  expect(await apply(running, report(`${token}x`))).toBe(false);
  expect(await apply(running, report(token))).toBe(true);
  expect((await reader()).state).toBe('undeliverable');
});

test('ignores an old report that is read again and names only the mailbox', async () => {
  const { running, person, delivery, reader } = await oneReader();
  const token = signToken('unsubscribe', person.mailbox_hash, running.newsletter.secret);
  const mail = { deliveryIds: [], token, updateId: undefined };
  const now = Date.now();
  const finished_at = new Date(now).toISOString();
  await running.store.db.updateTable('deliveries').set({ finished_at }).where('id', '=', delivery.id).execute();
  const { store, secret, env } = running.newsletter;
  const report: BounceReport = { kind: 'failure', fault: 'mailbox', mail, reason: 'a report' };
  await applyReport(store, report, { secret, env, now, at: now - 20 * 24 * 3600_000 });
  expect((await reader()).state).toBe('subscribed');
  await applyReport(store, report, { secret, env, now, at: now - 600_000 });
  expect((await reader()).state).toBe('undeliverable');
});

test('unsubscribes by an email to the List-Unsubscribe address only if it contains a signed token', async () => {
  const { running, person, reader } = await oneReader();
  expect(await apply(running, { kind: 'unsubscribe', token: `${person.mailbox_hash}.forged` })).toBe(false);
  expect((await reader()).state).toBe('subscribed');
  const token = signToken('unsubscribe', person.mailbox_hash, running.newsletter.secret);
  expect(await apply(running, { kind: 'unsubscribe', token })).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
});

test('counts rejections that arrive as reports towards pausing an update', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 10);
  const id = await queueForAll(store);
  const sent = { state: 'sent', finished_at: new Date().toISOString() } as const;
  await store.db.updateTable('deliveries').set(sent).execute();
  const mails = await store.db.selectFrom('deliveries').select('id').where('update_id', '=', id).execute();
  const options = { secret: 'any', env: parseEnvironment({}), now: Date.now() };
  for (const mail of mails.slice(0, 6)) {
    const reason = 'a report says that the email was rejected (550 5.7.1 blocked)';
    await applyReport(store, { kind: 'failure', fault: 'sender', mail: about(mail.id), reason }, options);
  }
  expect(await store.db.selectFrom('updates').select(['state', 'state_reason']).execute()).toMatchObject([
    { state: 'paused', state_reason: expect.stringContaining('6 of the last 10 emails were rejected permanently') },
  ]);
});
