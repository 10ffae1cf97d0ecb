import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anotherVisitor, type BuiltServer, startBuiltServer } from '../setup/built-server.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { freshStore, openPlace, signUp, waitUntil, waitUntilSent } from '../setup/running-newsletter.ts';
import { type SmtpServer, startSmtp } from '../setup/smtp-server.ts';

/** `npm run stress` kills the server more often. */
const IS_FULL = process.env.STRESS === 'full';
const timeout = IS_FULL ? 7_200_000 : 120_000;

/** A mail server, a store that stays open while servers start and stop, and their variables. */
async function startPlace() {
  const smtp = await startSmtp();
  const place = await freshStore();
  return { smtp, store: await openPlace(place), variables: { ...place, SMTP_URL: smtp.url, MAIL_CONCURRENCY: '2' } };
}

/** How often each delivery arrived, by its id. */
function countArrivals({ mails }: SmtpServer): Map<string | undefined, number> {
  const arrivals = Map.groupBy(mails, ({ messageId }) => /<(.+)@/.exec(messageId ?? '')?.[1]);
  return new Map([...arrivals].map(([id, { length }]) => [id, length]));
}

test(
  'keeps every acknowledged sign-up and sends no email twice that was recorded as sent, when the server is killed during sign-ups',
  { timeout },
  async () => {
    const kills = IS_FULL ? 1000 : 2;
    const { smtp, store, variables } = await startPlace();
    const acknowledged: string[] = [];
    /**
     * Deliveries that were being sent when the server was killed: each may have been accepted, and is sent once more.
     */
    const interrupted: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      acknowledged.push(...(await killAmidSignUps(await startBuiltServer(variables))));
      const sending = store.db.selectFrom('deliveries').select('id').where('state', '=', 'sending');
      interrupted.push(...(await sending.execute()).map(({ id }) => id));
    }

    // The last server sends the rest, including those that were interrupted too often.
    const server = await startBuiltServer(variables);
    await runCommand(variables, 'retry', 'all');
    await waitUntilSent(store, timeout);
    expect(await server.stop()).toBe(0);

    expect((await sql`pragma integrity_check`.execute(store.db)).rows).toEqual([{ integrity_check: 'ok' }]);
    const people = await store.db
      .selectFrom('subscribers')
      .leftJoin('deliveries', 'subscriber_id', 'subscribers.id')
      .select(['email', 'deliveries.id'])
      .execute();
    const addresses = new Set(people.map(({ email }) => email));
    expect(acknowledged.length).toBeGreaterThan(kills);
    expect(acknowledged.filter((email) => !addresses.has(email))).toEqual([]);
    const arrivals = countArrivals(smtp);
    const maxArrivals = (id: string | null) => 1 + interrupted.filter((other) => other === id).length;
    const unexplained = people.filter(({ id }) => (arrivals.get(id ?? '') ?? Infinity) > maxArrivals(id));
    expect(unexplained).toEqual([]);
    const twice = smtp.mails.length - people.length;
    process.stdout.write(
      `${kills} kills: ${acknowledged.length} sign-ups acknowledged, ${twice} emails more than once\n`,
    );
  },
);

let visitors = 0;

/**
 * Kills a server a few milliseconds after some acknowledged sign-ups, while it is sending. @returns the addresses whose
 * sign-up had been acknowledged
 */
async function killAmidSignUps(server: BuiltServer): Promise<string[]> {
  const acknowledged: string[] = [];
  const keepSigningUp = async () => {
    for (;;) {
      visitors += 1;
      const email = `person${visitors}@example.org`;
      const response = await signUp(server.url, { email }, anotherVisitor());
      await response.text();
      if (response.status === 200) acknowledged.push(email);
    }
  };
  // The kill interrupted these requests: their sign-ups were never acknowledged.
  const connections = Promise.allSettled(Array.from({ length: 8 }, keepSigningUp));
  const enough = Math.random() * 30;
  await waitUntil(() => expect(acknowledged.length).toBeGreaterThan(enough), 1);
  await pause(Math.random() * 60);
  await server.kill();
  await connections;
  return acknowledged;
}
