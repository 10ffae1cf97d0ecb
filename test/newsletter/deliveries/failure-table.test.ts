import { describe, expect, test } from 'vitest';
import type { Consequence } from '#newsletter/deliveries/decide-consequence.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { readOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { enqueue, findOnlyPerson, readDeliveries, runQueue, startStoreAndSmtp } from '../setup/run-queue.ts';
import { waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { at, type SmtpBehaviour, type SmtpStep } from '../setup/smtp-server.ts';

const MAILS = { subscriber: 'welcome', update: 'update', owner: 'notice' } as const;
type Mail = keyof typeof MAILS;
const EVERY_MAIL = Object.keys(MAILS) as Mail[];

const BEHAVIOURS = {
  '4xx': '451 4.7.1 later',
  '5xx': '550 5.7.1 blocked',
  'no such mailbox': '550 5.1.1 no such user',
  full: '552 5.2.2 mailbox full',
  uncoded: '550 rejected',
  limit: '550 5.4.5 Daily user sending limit exceeded',
  silence: 'silence',
  closed: 'close',
} satisfies Record<string, SmtpBehaviour>;
type Answer = keyof typeof BEHAVIOURS;

/** A final state, by its kind, or a rejection, by its fault. */
type End = 'no login' | 'deferred' | 'limited' | 'unanswered' | 'full' | 'sender' | 'unclear' | 'mailbox';

/** How a reply at a step ends the conversation. */
const ENDS: [SmtpStep, Answer, End][] = [
  ['AUTH', '4xx', 'no login'],
  ['AUTH', 'closed', 'no login'],
  // So far, only the sender's mailbox was named.
  ['MAIL FROM', 'no such mailbox', 'sender'],
  ['MAIL FROM', 'silence', 'deferred'],
  ['RCPT TO', '4xx', 'deferred'],
  ['RCPT TO', '5xx', 'sender'],
  ['RCPT TO', 'no such mailbox', 'mailbox'],
  ['RCPT TO', 'full', 'full'],
  ['RCPT TO', 'uncoded', 'unclear'],
  ['RCPT TO', 'limit', 'limited'],
  ['DATA', 'uncoded', 'sender'],
  ['DATA', 'closed', 'deferred'],
  ['dot', 'no such mailbox', 'mailbox'],
  ['dot', 'uncoded', 'sender'],
  ['dot', 'silence', 'unanswered'],
  ['dot', 'closed', 'unanswered'],
];

const CONSEQUENCES: [End, Mail[], Consequence][] = [
  ['no login', EVERY_MAIL, { delivery: 'released', others: 'back off', isOutage: true }],
  ['limited', EVERY_MAIL, { delivery: 'released', others: 'go on', isOutage: true }],
  ['deferred', EVERY_MAIL, { delivery: 'deferred', others: 'slow down' }],
  ['unanswered', EVERY_MAIL, { delivery: 'interrupted', others: 'slow down' }],
  ['sender', ['subscriber', 'owner'], { delivery: 'deferred', others: 'slow down', fault: 'sender', isOutage: true }],
  ['sender', ['update'], { delivery: 'rejected', others: 'go on', fault: 'sender' }],
  ['unclear', ['subscriber', 'owner'], { delivery: 'deferred', others: 'go on', fault: 'unclear' }],
  ['unclear', ['update'], { delivery: 'rejected', others: 'go on', fault: 'unclear' }],
  ['full', EVERY_MAIL, { delivery: 'deferred', others: 'go on', fault: 'full' }],
  ['mailbox', ['subscriber', 'update'], { delivery: 'rejected', others: 'go on', fault: 'mailbox' }],
  ['mailbox', ['owner'], { delivery: 'rejected', others: 'go on', fault: 'sender' }],
];

const results = new Set<End>();
const cells = ENDS.flatMap(([step, answer, end]) => {
  // The result doesn't depend on the email, and its consequence doesn't depend on the step.
  const mails = results.has(end) ? (['subscriber'] as const) : EVERY_MAIL;
  results.add(end);
  return mails.map((mail) => ({ step, answer, mail, expected: findExpected(end, mail) }));
});

function findExpected(end: End, mail: Mail): Consequence {
  return CONSEQUENCES.find(([each, mails]) => each === end && mails.includes(mail))![2];
}

async function queue(store: Store, mail: Mail): Promise<void> {
  const [email = ''] = await seedSubscribers(store, 1);
  if (mail === 'update') await queueForAll(store);
  else {
    const { id } = await findOnlyPerson(store);
    const details = { ...optionalFields(() => ''), email, source: 'Footer' };
    const isWelcome = mail === 'subscriber';
    await enqueue(store, createDelivery(isWelcome ? 'welcome' : 'notice', id, isWelcome ? {} : details, Date.now()));
  }
}

describe('an email that isn’t accepted', () => {
  test.each(cells)('$step, $answer, $mail', async ({ step, answer, mail, expected }) => {
    const { smtp, store } = await startStoreAndSmtp();
    smtp.extension = mail === 'subscriber' ? 'PIPELINING' : undefined;
    smtp.behave = at(step, BEHAVIOURS[answer]);
    await queue(store, mail);
    const running = await runQueue(store, answer === 'silence' ? `${smtp.url}?socketTimeout=300` : smtp.url);
    await waitUntil(() => expect(running.log.join('\n')).toMatch(/^Delivery .*;/m));
    await running.stop();

    const delivery = (await readDeliveries(store)).find(({ kind }) => kind !== 'alert')!;
    expect(delivery).toMatchObject(
      {
        released: { state: 'waiting', attempts: 0, interruptions: 0 },
        deferred: { state: 'waiting', attempts: 1, interruptions: 0 },
        rejected: { state: 'failed', attempts: 1, fault: expected.fault },
        interrupted: { state: 'waiting', attempts: 1, interruptions: 1 },
      }[expected.delivery],
    );
    const pauseMs = Date.parse(delivery.due_at) - Date.now();
    expect(pauseMs > 20_000).toBe(['deferred', 'interrupted'].includes(expected.delivery));
    const places = await store.db.selectFrom('sent_mails').select('delivery_id').execute();
    expect(places).toHaveLength(expected.delivery === 'interrupted' ? 1 : 0);

    expect((await findOnlyPerson(store)).state).toBe(expected.fault === 'mailbox' ? 'undeliverable' : 'subscribed');
    // One rejection pauses nothing.
    expect(await store.db.selectFrom('updates').select('id').where('state', '=', 'paused').execute()).toEqual([]);
    const outage = await readOutage(store.db);
    expect(outage !== undefined).toBe(expected.isOutage ?? false);
    // A sentence for the owner, with the reply itself in brackets.
    const reason = delivery.last_error ?? outage?.reason;
    expect(reason).toMatch(/^the (mail server|connection to the mail server) [a-z’ ]+ \([^()]+\)$/);
    const stage = step === 'dot' ? '(after the dot)' : '(before the email)';
    const hasReply = answer !== 'silence' && answer !== 'closed';
    expect(reason).toContain(hasReply ? `(${BEHAVIOURS[answer]})` : step === 'AUTH' ? '(' : stage);
    expect(running.log.join('\n')).toMatch(
      {
        'back off': /rejects the login: next try in 10 s/,
        'slow down': /did not accept an email: now sending one email every 1 s/,
        'go on': /^Delivery (?!.*did not accept an email)/s,
      }[expected.others],
    );
  });
});
