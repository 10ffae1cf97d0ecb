import { describe, expect, test } from 'vitest';
import {
  ANSWERS,
  type Answer,
  FAILURE_TABLE,
  type Mail,
  MAILS,
  type Stage,
  STAGES,
} from '#mail/queue/failure-table.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { readTrouble } from '#mail/queue/mail-trouble.ts';
import { createDelivery } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import { queueForAll } from './queue-for-all.ts';
import { enqueue, runQueue, startBoth } from './run-queue.ts';
import { waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { at, type Mood, type SmtpStep } from './smtp-server.ts';

const STEPS: Record<Stage, SmtpStep> = {
  connection: 'AUTH',
  'MAIL FROM': 'MAIL FROM',
  'RCPT TO': 'RCPT TO',
  data: 'DATA',
  'after the dot': 'dot',
};

const MOODS: Record<Answer, Mood> = {
  '4xx': '451 4.7.1 later',
  '5xx': '550 5.7.1 blocked',
  'no such mailbox': '550 5.1.1 no such user',
  silence: 'silence',
  closed: 'close',
};

const cells = STAGES.flatMap((stage) =>
  ANSWERS.flatMap((answer) =>
    MAILS.map((mail) => ({ stage, answer, mail, expected: FAILURE_TABLE[stage][answer][mail] })),
  ),
);

async function queue(store: Store, mail: Mail): Promise<void> {
  const [email = ''] = await seedSubscribers(store, 1);
  if (mail === 'update') await queueForAll(store);
  else {
    const { id } = await store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
    const details = { ...optionalFields(() => ''), email, source: 'Footer' };
    const isWelcome = mail === 'subscriber';
    await enqueue(store, createDelivery(isWelcome ? 'welcome' : 'notice', id, isWelcome ? {} : details, Date.now()));
  }
}

describe('a mail that is not taken', () => {
  test.each(cells)('$stage, $answer, $mail', async ({ stage, answer, mail, expected }) => {
    const { smtp, store } = await startBoth();
    smtp.extension = mail === 'subscriber' ? 'PIPELINING' : undefined;
    smtp.mood = at(STEPS[stage], MOODS[answer]);
    await queue(store, mail);
    const timeouts = answer === 'silence' ? { [stage]: 300 } : {};
    const running = await runQueue(store, smtp.url, { timeouts });
    await waitUntil(() => expect(running.log.join('\n')).toMatch(/^Delivery .*;/m));
    await running.stop();

    const delivery = await store.db
      .selectFrom('deliveries')
      .selectAll()
      .where('kind', '!=', 'alert')
      .executeTakeFirstOrThrow();
    expect(delivery).toMatchObject(
      {
        'given back': { state: 'waiting', attempts: 0, interruptions: 0 },
        'put off': { state: 'waiting', attempts: 1, interruptions: 0 },
        refused: { state: 'failed', attempts: 1, refusal: expected.person === 'unchanged' ? 'mail' : 'mailbox' },
        interrupted: { state: 'waiting', attempts: 1, interruptions: 1 },
      }[expected.delivery],
    );
    const pauseMs = Date.parse(delivery.due_at) - Date.now();
    expect(pauseMs > 20_000).toBe(['put off', 'interrupted'].includes(expected.delivery));
    const places = await store.db.selectFrom('sent_mails').select('delivery_id').execute();
    expect(places).toHaveLength(expected.delivery === 'interrupted' ? 1 : 0);

    const person = await store.db.selectFrom('subscribers').select('state').executeTakeFirstOrThrow();
    expect(person.state).toBe(expected.person === 'unchanged' ? 'subscribed' : 'undeliverable');
    // One refusal pauses nothing.
    expect(await store.db.selectFrom('updates').select('id').where('state', '=', 'paused').execute()).toEqual([]);
    const trouble = await readTrouble(store.db);
    expect(trouble !== undefined).toBe(expected.shownIn === 'status and weekly mail');
    // A sentence for the owner; the reply itself only in brackets.
    const reason = delivery.last_error ?? trouble?.reason;
    expect(reason).toMatch(/^the (mail server|connection to the mail server) [a-z ]+ \([^()]+\)$/);
    const hasReply = MOODS[answer] !== 'silence' && MOODS[answer] !== 'close';
    expect(reason).toContain(hasReply ? `(${MOODS[answer]})` : stage === 'connection' ? '(' : `(${stage})`);
    expect(running.log.join('\n')).toMatch(
      {
        'wait from 10 s to 5 min': /lets nobody in: next try in 10 s/,
        'follow more slowly': /did not take an email: now one email every 1 s/,
        'go on': /^Delivery (?!.*did not take an email)/s,
      }[expected.others],
    );
  });
});
