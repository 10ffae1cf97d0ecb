import { expect, test } from 'vitest';
import { resumeUpdate } from '#newsletter/updates/update-state.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { CAPS, queueForAll } from '../newsletter/setup/queue-for-all.ts';
import { jumpingClock, readNewest, runQueue, startStoreAndSmtp } from '../newsletter/setup/run-queue.ts';
import { waitUntil } from '../newsletter/setup/running-newsletter.ts';
import { seedSubscribers } from '../newsletter/setup/seed-subscribers.ts';
import type { SmtpBehaviour } from '../newsletter/setup/smtp-server.ts';

const PEOPLE = 2000;
const DAY = 24 * 3_600_000;
const timeout = 1_800_000;

/** Of every hundred mailboxes, ten don't exist, two are full, and one is rejected without a reason. */
function refuse(to: string): SmtpBehaviour | undefined {
  const number = Number(/\d+/.exec(to)?.[0]);
  if (number % 10 === 0) return '550 5.1.1 no such user';
  if (number % 50 === 1) return '552 5.2.2 mailbox full';
  return number % 100 === 2 ? '550 rejected' : undefined;
}

test(
  `an old list of ${PEOPLE}: the first update marks missing mailboxes, the second those rejected without a reason, the third full ones`,
  { timeout },
  async () => {
    const { smtp, store } = await startStoreAndSmtp();
    await seedSubscribers(store, PEOPLE);
    smtp.behave = (step, to) => (step === 'RCPT TO' && to.startsWith('reader') ? refuse(to) : undefined);
    const clock = jumpingClock(3 * 3_600_000);
    const rounds = [];
    for (let round = 1; round <= 3; round += 1) {
      const id = await queueForAll(store, { now: clock.now(), textHash: String(round) });
      const running = await runQueue(store, smtp.url, { clock });
      let pauses = 0;
      await waitUntil(
        async () => {
          const { state } = await readNewest(store);
          if (state === 'paused') {
            pauses += 1;
            await resumeUpdate(store, id, CAPS, clock.now());
          }
          expect(state).toBe('sent');
        },
        50,
        timeout,
      );
      await running.stop();
      const { sent, failed } = await readNewest(store);
      rounds.push({ sent, failed, pauses, marked: await countMarked(store) });
      clock.set(clock.now() + 30 * DAY);
    }
    process.stdout.write(`Old list of ${PEOPLE}, three updates: ${JSON.stringify(rounds)}\n`);
    const [dead, full, unclear] = [PEOPLE / 10, PEOPLE / 50, PEOPLE / 100];
    expect(rounds.map(({ marked }) => marked)).toEqual([dead, dead + unclear, dead + unclear + full]);
    expect(rounds.map(({ failed }) => failed)).toEqual([dead + full + unclear, full + unclear, full]);
    expect(rounds.map(({ pauses }) => pauses)).toEqual([0, 0, 0]);
  },
);

async function countMarked({ db }: Store): Promise<number> {
  const marked = await db.selectFrom('subscribers').select('id').where('state', '=', 'undeliverable').execute();
  return marked.length;
}
