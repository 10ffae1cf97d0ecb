import { describe, expect, test } from 'vitest';
import { readOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { cancelUpdate, resumeUpdate } from '#newsletter/updates/update-state.ts';
import { retryUpdate } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { CAPS, queueForAll } from '../setup/queue-for-all.ts';
import { waitUntil } from '../setup/running-newsletter.ts';
import {
  enqueue,
  findOnlyPerson,
  jumpingClock,
  readNewest,
  readRecipients,
  runQueue,
  startStoreAndSmtp,
  startWithUpdate,
  waitForState,
} from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { at, goOn, holdMails, type SmtpBehaviour, type SmtpServer, type SmtpStep } from '../setup/smtp-server.ts';

const HOUR = 3600;

test('sends all emails that a server defers for six hours after eight days without a login', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const people = await seedSubscribers(store, 8);
  // Otherwise hundreds of emails would be deferred.
  const clock = jumpingClock(3 * HOUR * 1000);
  const outageEnds = clock.now() + 192 * HOUR * 1000;
  const deferralsEnd = outageEnds + 6 * HOUR * 1000;
  smtp.behave = (step) => {
    if (step === 'AUTH' && clock.now() < outageEnds) return '454 4.7.0 Temporary authentication failure';
    return step === 'RCPT TO' && clock.now() < deferralsEnd ? '450 4.7.0 Transmit rate limit exceeded' : undefined;
  };
  await queueForAll(store, { now: clock.now() });
  await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual(people.toSorted());
});

describe('a provider that accepts one connection at a time', () => {
  /** @param refusal the greeting of every connection except the first */
  function acceptOneConnection(smtp: SmtpServer, refusal: SmtpBehaviour): void {
    let greetings = 0;
    smtp.behave = (step) => {
      if (step === 'greeting') greetings += 1;
      return step === 'greeting' && greetings > 1 ? refusal : undefined;
    };
  }

  test.each(['421 4.7.0 Too many concurrent connections', 'close'] as SmtpBehaviour[])(
    'receives all emails through it while the other connections wait (%s)',
    async (refusal) => {
      const { smtp, store, people } = await startWithUpdate(8);
      acceptOneConnection(smtp, refusal);
      smtp.beforeAccepting = () => new Promise((resolve) => setTimeout(resolve, 50));
      const running = await runQueue(store, smtp.url, { concurrency: 5 });
      await waitForState(store, 'sent');
      expect(readRecipients(smtp)).toEqual(people.toSorted());
      expect(running.log.join()).not.toContain('next try in');
    },
  );

  test('receives the next email through the open connection', async () => {
    const { smtp, store } = await startStoreAndSmtp();
    acceptOneConnection(smtp, '421 4.7.0 Too many concurrent connections');
    const running = await runQueue(store, smtp.url, { concurrency: 5 });
    for (const count of [1, 2, 3]) {
      const alert = createDelivery('alert', null, { subject: 'Pay', text: 'Pay' }, Date.now());
      await enqueue(store, alert);
      await waitUntil(() => expect(smtp.taken).toHaveLength(count));
    }
    expect(running.log).toEqual([]);
  });
});

test('retries a provider that rejects every email for an hour, and tells the owner in the meantime', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  await seedSubscribers(store, 1);
  const { id, email } = await findOnlyPerson(store);
  const clock = jumpingClock(10_000);
  const until = clock.now() + HOUR * 1000;
  let reason: string | undefined;
  smtp.behave = async (step) => {
    if (step !== 'dot' || clock.now() >= until) return undefined;
    reason ??= (await readOutage(store.db))?.reason;
    return '550 5.7.1 rejected by policy';
  };
  const alert = createDelivery('alert', null, { subject: 'Pay', text: 'Pay' }, clock.now());
  await enqueue(store, createDelivery('welcome', id, {}, clock.now()), alert);
  await runQueue(store, smtp.url, { clock });
  await waitUntil(() => expect(readRecipients(smtp)).toEqual(['owner@larkfield.example', email]));
  expect(reason).toContain('550 5.7.1 rejected by policy');
  await waitUntil(async () => expect(await readOutage(store.db)).toBeUndefined());
  expect((await findOnlyPerson(store)).state).toBe('subscribed');
});

test('pauses the update after six rejections from the 11th of 20 emails on, marks nobody, and reaches the rest on retry', async () => {
  const { smtp, store, people, id } = await startWithUpdate(20);
  smtp.behave = (step) => (step === 'RCPT TO' && smtp.taken.length >= 10 ? '550 rejected' : undefined);
  await runQueue(store, smtp.url);
  await waitForState(store, 'paused');
  expect(await readNewest(store)).toMatchObject({ sent: 10, failed: 6, waiting: 4 });
  expect(await store.db.selectFrom('subscribers').select('state').distinct().execute()).toEqual([
    { state: 'subscribed' },
  ]);
  // The owner's address isn't marked as dead either.
  const alert = store.db.selectFrom('deliveries').select(['state', 'attempts']).where('kind', '=', 'alert');
  await waitUntil(async () => expect(await alert.execute()).toEqual([{ state: 'waiting', attempts: 1 }]));
  smtp.behave = goOn;
  await resumeUpdate(store, id, CAPS, Date.now());
  await waitForState(store, 'sent');
  expect(await retryUpdate(store, id, Date.now())).toMatchObject({ retried: 6, isReopened: true });
  await waitUntil(async () => expect(await readNewest(store)).toMatchObject({ state: 'sent', sent: 20 }));
  // The owner may have received the alert by then.
  expect(readRecipients(smtp).filter((to) => people.includes(to))).toEqual(people.toSorted());
});

test.each<[SmtpBehaviour, SmtpStep, number]>([
  ['550 5.4.5 Daily user sending limit exceeded', 'dot', 24],
  ['450 Requested mail action not taken: Mail send limit exceeded', 'MAIL FROM', 1],
  ['550 Sending rate exceeded', 'dot', 1],
  ['550 Too many mails per session', 'MAIL FROM', 1 / 60],
])('fails nobody at the account’s limit (%s), and sends the rest automatically', async (behaviour, step, hours) => {
  const { smtp, store } = await startStoreAndSmtp();
  const people = await seedSubscribers(store, 20);
  const clock = jumpingClock(10 * 60_000);
  const start = clock.now();
  let limitEnds: number | undefined;
  smtp.behave = (reached) => {
    if (reached !== step || smtp.taken.length < 10) return undefined;
    limitEnds ??= clock.now() + hours * HOUR * 1000;
    return clock.now() < limitEnds ? behaviour : undefined;
  };
  await queueForAll(store, { now: start });
  const { log } = await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(await readNewest(store)).toMatchObject({ sent: 20, failed: 0 });
  expect(readRecipients(smtp)).toEqual(people.toSorted());
  // One email hits the limit; no other is tried until it is over.
  expect(log).toHaveLength(1);
});

test.each([
  ['gmx.example', 'gmx.example'],
  ['outlook.example', 'hotmail.example'],
])(
  'holds back the people of a provider that rejects everybody, names it, and sends to the others (%s, %s)',
  async (...domains) => {
    const { smtp, store } = await startStoreAndSmtp();
    const held: string[] = [];
    for (const [index, domain] of domains.entries()) {
      held.push(...(await seedSubscribers(store, 10, { domain, prefix: `held${index}` })));
    }
    const others = await seedSubscribers(store, 30);
    const clock = jumpingClock(60_000);
    const start = clock.now();
    const reply = '554 5.7.1 Reject due to policy restrictions';
    smtp.behave = (step, to) =>
      step === 'RCPT TO' && held.includes(to) && clock.now() < start + 20 * HOUR * 1000 ? reply : undefined;
    await queueForAll(store, { now: start });
    await runQueue(store, smtp.url, { clock });
    await waitUntil(() => expect(readRecipients(smtp)).toEqual(expect.arrayContaining(others)));
    await waitForState(store, 'sent');
    expect(await readNewest(store)).toMatchObject({ sent: 44, failed: 6 });
    expect(readRecipients(smtp).filter((to) => held.includes(to))).toHaveLength(14);
    const alerts = await store.db.selectFrom('deliveries').select('details').where('kind', '=', 'alert').execute();
    expect(alerts).toEqual([{ details: expect.stringContaining('all 6 emails to it were rejected') }]);
  },
);

test('marks nonexistent mailboxes at once, and pauses the update once there are twenty in a hundred', async () => {
  const { smtp, store, id } = await startWithUpdate(60);
  let recipients = 0;
  smtp.behave = (step) => {
    if (step === 'RCPT TO') recipients += 1;
    return step === 'RCPT TO' && recipients % 2 === 0
      ? '550 5.4.1 Recipient address rejected: Access denied'
      : undefined;
  };
  await runQueue(store, smtp.url);
  await waitForState(store, 'paused');
  const paused = await readNewest(store);
  expect(paused).toMatchObject({ sent: 20, failed: 20, waiting: 20 });
  expect(paused.state_reason).toContain('20 of the last 40 mailboxes do not exist, so the list may be old');
  await resumeUpdate(store, id, CAPS, Date.now());
  await waitForState(store, 'sent');
  const marked = store.db.selectFrom('subscribers').select('id').where('state', '=', 'undeliverable');
  expect(await marked.execute()).toHaveLength((await readNewest(store)).failed);
});

test('delays no other email because of a full mailbox, and sends to it once it has space', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const people = await seedSubscribers(store, 10);
  const clock = jumpingClock(60_000);
  const start = clock.now();
  smtp.behave = (step, to) =>
    step === 'RCPT TO' && to === people[0] && clock.now() < start + HOUR * 1000
      ? '552 5.2.2 The recipient’s inbox is out of storage space'
      : undefined;
  await queueForAll(store, { now: start });
  const running = await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual(people.toSorted());
  expect(running.log.join()).not.toContain('did not accept an email');
});

test('sends at most one more copy, with the same Message-ID, to a mail server that is silent after the final dot', async () => {
  const { smtp, store } = await startWithUpdate(1);
  smtp.behave = at('dot', 'silence');
  await runQueue(store, `${smtp.url}?socketTimeout=300`, { clock: jumpingClock() });
  await waitForState(store, 'sent');
  expect(smtp.mails).toHaveLength(2);
  expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(1);
  expect(await readNewest(store)).toMatchObject({
    failed: 1,
    reasons: [{ reason: expect.stringContaining('may have arrived') }],
  });
});

test('starts no email while stopping and waiting for those in flight', async () => {
  const { smtp, store } = await startWithUpdate(2);
  const holding = holdMails(smtp);
  const running = await runQueue(store, smtp.url);
  await holding.atMail;
  const stopped = running.stop();
  holding.accept();
  await stopped;
  expect(smtp.mails).toHaveLength(1);
});

test('counts the people who have received a cancelled update or are receiving it, and sends it to none of them again', async () => {
  const { smtp, store, id } = await startWithUpdate(6);
  const cancelled = Promise.withResolvers<SmtpBehaviour>();
  smtp.behave = (step) => (step === 'dot' && smtp.taken.length >= 3 ? cancelled.promise : undefined);
  const running = await runQueue(store, smtp.url);
  await waitUntil(() => expect(smtp.mails).toHaveLength(4));
  expect(await cancelUpdate(store, id, Date.now())).toEqual({ sent: 3, sending: 1, dropped: 2 });
  cancelled.resolve('close');
  await waitUntil(() => expect(running.log.join()).toContain('dropped'));
  smtp.behave = goOn;
  await queueForAll(store);
  await waitForState(store, 'sent');
  expect(smtp.mails).toHaveLength(6);
  expect(new Set(smtp.mails.map(({ to }) => to)).size).toBe(6);
});
