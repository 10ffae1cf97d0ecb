import { describe, expect, test } from 'vitest';
import type { Consequence, SmtpEnd } from '#mail/queue/consequence.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { readTrouble } from '#mail/queue/mail-trouble.ts';
import { createDelivery } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import { queueForAll } from './queue-for-all.ts';
import { enqueue, findOnlyPerson, readDeliveries, runQueue, startBoth } from './run-queue.ts';
import { waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { at, type Mood, type SmtpStep } from './smtp-server.ts';

const MAILS = { subscriber: 'welcome', update: 'update', owner: 'notice' } as const;
type Mail = keyof typeof MAILS;
const EVERY_MAIL = Object.keys(MAILS) as Mail[];

const MOODS = {
  '4xx': '451 4.7.1 later',
  '5xx': '550 5.7.1 blocked',
  'no such mailbox': '550 5.1.1 no such user',
  silence: 'silence',
  closed: 'close',
} satisfies Record<string, Mood>;
type Answer = keyof typeof MOODS;

/** How each answer at each step ends the conversation. */
const ENDS: [SmtpStep, Record<Answer, SmtpEnd>][] = [
  ['AUTH', endWith('no login', 'no login', 'no login', 'no login')],
  // The only mailbox named so far is the sender's.
  ['MAIL FROM', endWith('deferred', 'refused', 'refused', 'deferred')],
  ['RCPT TO', endWith('deferred', 'refused', 'no such mailbox', 'deferred')],
  ['DATA', endWith('deferred', 'refused', 'no such mailbox', 'deferred')],
  ['dot', endWith('deferred', 'refused', 'no such mailbox', 'unanswered')],
];

function endWith(forNow: SmtpEnd, forGood: SmtpEnd, noMailbox: SmtpEnd, silence: SmtpEnd): Record<Answer, SmtpEnd> {
  return { '4xx': forNow, '5xx': forGood, 'no such mailbox': noMailbox, silence, closed: silence };
}

const CONSEQUENCES: [SmtpEnd, Mail[], Consequence][] = [
  ['no login', EVERY_MAIL, { delivery: 'given back', others: 'wait from 10 s to 5 min', isTrouble: true }],
  ['deferred', EVERY_MAIL, { delivery: 'put off', others: 'follow more slowly' }],
  ['unanswered', EVERY_MAIL, { delivery: 'interrupted', others: 'follow more slowly' }],
  ['refused', ['subscriber', 'owner'], { delivery: 'put off', others: 'follow more slowly', isTrouble: true }],
  ['refused', ['update'], { delivery: 'refused', others: 'go on' }],
  ['no such mailbox', ['subscriber', 'update'], { delivery: 'refused', others: 'go on', marksPerson: true }],
  ['no such mailbox', ['owner'], { delivery: 'refused', others: 'go on' }],
];

/** One cell of each end: the end does not depend on the mail, nor the consequence on the step. */
const OF_EVERY_MAIL = new Set(['AUTH, 4xx', 'RCPT TO, 4xx', 'RCPT TO, 5xx', 'RCPT TO, no such mailbox', 'dot, closed']);

const cells = ENDS.flatMap(([step, ends]) =>
  (Object.keys(MOODS) as Answer[]).flatMap((answer) => {
    const mails = OF_EVERY_MAIL.has(`${step}, ${answer}`) ? EVERY_MAIL : (['subscriber'] as const);
    return mails.map((mail) => ({ step, answer, mail, expected: findExpected(ends[answer], mail) }));
  }),
);

function findExpected(end: SmtpEnd, mail: Mail): Consequence {
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

describe('a mail that is not taken', () => {
  test.each(cells)('$step, $answer, $mail', async ({ step, answer, mail, expected }) => {
    const { smtp, store } = await startBoth();
    smtp.extension = mail === 'subscriber' ? 'PIPELINING' : undefined;
    smtp.mood = at(step, MOODS[answer]);
    await queue(store, mail);
    const running = await runQueue(store, answer === 'silence' ? `${smtp.url}?socketTimeout=300` : smtp.url);
    await waitUntil(() => expect(running.log.join('\n')).toMatch(/^Delivery .*;/m));
    await running.stop();

    const delivery = (await readDeliveries(store)).find(({ kind }) => kind !== 'alert')!;
    expect(delivery).toMatchObject(
      {
        'given back': { state: 'waiting', attempts: 0, interruptions: 0 },
        'put off': { state: 'waiting', attempts: 1, interruptions: 0 },
        refused: { state: 'failed', attempts: 1, refusal: expected.marksPerson ? 'mailbox' : 'mail' },
        interrupted: { state: 'waiting', attempts: 1, interruptions: 1 },
      }[expected.delivery],
    );
    const pauseMs = Date.parse(delivery.due_at) - Date.now();
    expect(pauseMs > 20_000).toBe(['put off', 'interrupted'].includes(expected.delivery));
    const places = await store.db.selectFrom('sent_mails').select('delivery_id').execute();
    expect(places).toHaveLength(expected.delivery === 'interrupted' ? 1 : 0);

    expect((await findOnlyPerson(store)).state).toBe(expected.marksPerson ? 'undeliverable' : 'subscribed');
    // One refusal pauses nothing.
    expect(await store.db.selectFrom('updates').select('id').where('state', '=', 'paused').execute()).toEqual([]);
    const trouble = await readTrouble(store.db);
    expect(trouble !== undefined).toBe(expected.isTrouble ?? false);
    // A sentence for the owner; the reply itself only in brackets.
    const reason = delivery.last_error ?? trouble?.reason;
    expect(reason).toMatch(/^the (mail server|connection to the mail server) [a-z ]+ \([^()]+\)$/);
    const stage = step === 'dot' ? '(after the dot)' : '(before the email)';
    const hasReply = answer !== 'silence' && answer !== 'closed';
    expect(reason).toContain(hasReply ? `(${MOODS[answer]})` : step === 'AUTH' ? '(' : stage);
    expect(running.log.join('\n')).toMatch(
      {
        'wait from 10 s to 5 min': /lets nobody in: next try in 10 s/,
        'follow more slowly': /did not take an email: now one email every 1 s/,
        'go on': /^Delivery (?!.*did not take an email)/s,
      }[expected.others],
    );
  });
});
