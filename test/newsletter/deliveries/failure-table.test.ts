import { describe, expect, test } from 'vitest';
import { decideConsequence } from '#newsletter/deliveries/decide-consequence.ts';
import type { Ending } from '#newsletter/deliveries/delivery-failure.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { readOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { enqueue, findOnlyPerson, readDeliveries, runQueue, startStoreAndSmtp } from '../setup/run-queue.ts';
import { waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { at, type SmtpBehaviour, type SmtpStep } from '../setup/smtp-server.ts';

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

/** How a reply at a step ends the conversation about an email. */
const ENDS: [SmtpStep, keyof typeof BEHAVIOURS, 'welcome' | 'update' | 'notice', Ending][] = [
  ['AUTH', '4xx', 'welcome', { kind: 'no login' }],
  ['AUTH', 'closed', 'update', { kind: 'no login' }],
  // So far, only the sender's mailbox was named.
  ['MAIL FROM', 'no such mailbox', 'welcome', { kind: 'rejected', fault: 'sender' }],
  ['MAIL FROM', 'silence', 'notice', { kind: 'deferred' }],
  ['RCPT TO', '4xx', 'welcome', { kind: 'deferred' }],
  ['RCPT TO', '5xx', 'update', { kind: 'rejected', fault: 'sender' }],
  ['RCPT TO', 'no such mailbox', 'welcome', { kind: 'rejected', fault: 'mailbox' }],
  ['RCPT TO', 'no such mailbox', 'notice', { kind: 'rejected', fault: 'mailbox' }],
  ['RCPT TO', 'full', 'update', { kind: 'deferred', fault: 'full' }],
  ['RCPT TO', 'uncoded', 'update', { kind: 'rejected', fault: 'unclear' }],
  ['RCPT TO', 'limit', 'welcome', { kind: 'limited', pauseMs: 1 }],
  ['DATA', 'uncoded', 'notice', { kind: 'rejected', fault: 'sender' }],
  ['DATA', 'closed', 'welcome', { kind: 'deferred' }],
  ['dot', 'no such mailbox', 'update', { kind: 'rejected', fault: 'mailbox' }],
  ['dot', 'uncoded', 'welcome', { kind: 'rejected', fault: 'sender' }],
  ['dot', 'silence', 'update', { kind: 'unanswered' }],
  ['dot', 'closed', 'welcome', { kind: 'unanswered' }],
];

async function queue(store: Store, kind: 'welcome' | 'update' | 'notice'): Promise<void> {
  const [email = ''] = await seedSubscribers(store, 1);
  if (kind === 'update') await queueForAll(store);
  else {
    const { id } = await findOnlyPerson(store);
    const details = kind === 'welcome' ? {} : { ...optionalFields(() => ''), email, source: 'Footer' };
    await enqueue(store, createDelivery(kind, id, details, Date.now()));
  }
}

describe('an email that isn’t accepted', () => {
  test.each(ENDS)('%s, %s, %s', async (step, answer, kind, ending) => {
    const expected = decideConsequence(kind, ending);
    const { smtp, store } = await startStoreAndSmtp();
    smtp.extension = kind === 'welcome' ? 'PIPELINING' : undefined;
    smtp.behave = at(step, BEHAVIOURS[answer]);
    await queue(store, kind);
    const running = await runQueue(store, answer === 'silence' ? `${smtp.url}?socketTimeout=300` : smtp.url);
    await waitUntil(() => expect(running.log.join('\n')).toMatch(/^Delivery .*;/m));
    await running.stop();

    const delivery = (await readDeliveries(store)).find((each) => each.kind === kind)!;
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
