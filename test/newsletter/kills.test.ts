import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { anotherVisitor, type BuiltServer, startBuiltServer } from './built-server.ts';
import { runCommand } from './owner-commands.ts';
import { queueForAll } from './queue-for-all.ts';
import { readNewest, waitForState } from './run-queue.ts';
import { freshStore, openPlace, signUp, waitUntil, waitUntilSent } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { type SmtpServer, startSmtp } from './smtp-server.ts';

/** `npm run stress` kills it more often. */
const IS_FULL = process.env.STRESS === 'full';
const timeout = IS_FULL ? 7_200_000 : 120_000;

/** A mail server, a store to look into while servers come and go, and the variables of these. */
async function startPlace() {
  const smtp = await startSmtp();
  const place = await freshStore();
  return { smtp, store: await openPlace(place), variables: { ...place, SMTP_URL: smtp.url, MAIL_CONCURRENCY: '2' } };
}

/** How often each delivery came, by its id. */
function countArrivals({ mails }: SmtpServer): Map<string | undefined, number> {
  const arrivals = Map.groupBy(mails, ({ messageId }) => /<(.+)@/.exec(messageId ?? '')?.[1]);
  return new Map([...arrivals].map(([id, { length }]) => [id, length]));
}

test(
  'a server killed amid sign-ups keeps each acknowledged one and repeats no recorded mail',
  { timeout },
  async () => {
    const kills = IS_FULL ? 1000 : 8;
    const { smtp, store, variables } = await startPlace();
    const acknowledged: string[] = [];
    /** Deliveries that a kill met on their way: each may have been accepted, and comes once more. */
    const interrupted: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      acknowledged.push(...(await killAmidSignUps(await startBuiltServer(variables))));
      const sending = store.db.selectFrom('deliveries').select('id').where('state', '=', 'sending');
      interrupted.push(...(await sending.execute()).map(({ id }) => id));
    }

    // The last one sends what is left, also what was interrupted too often.
    const server = await startBuiltServer(variables);
    await runCommand(variables, 'retry', 'all');
    await waitUntilSent(store);
    expect(await server.stop()).toBe(0);

    const people = await store.db
      .selectFrom('subscribers')
      .innerJoin('deliveries', 'subscriber_id', 'subscribers.id')
      .select(['address', 'deliveries.id'])
      .execute();
    const addresses = new Set(people.map(({ address }) => address));
    expect(acknowledged.length).toBeGreaterThan(kills);
    expect(acknowledged.filter((address) => !addresses.has(address))).toEqual([]);
    const arrivals = countArrivals(smtp);
    const maxArrivals = (id: string) => 1 + interrupted.filter((other) => other === id).length;
    const unexplained = people.filter(({ id }) => !arrivals.has(id) || arrivals.get(id)! > maxArrivals(id));
    expect(unexplained).toEqual([]);
    const twice = smtp.mails.length - people.length;
    process.stdout.write(
      `${kills} kills: ${acknowledged.length} sign-ups acknowledged, ${twice} mails more than once\n`,
    );
  },
);

let visitors = 0;

/**
 * Kills it after some acknowledged sign-ups, and some milliseconds of the sending that follows.
 * @returns the addresses whose sign-up was acknowledged before
 */
async function killAmidSignUps(server: BuiltServer): Promise<string[]> {
  const acknowledged: string[] = [];
  const keepSigningUp = async () => {
    for (;;) {
      visitors += 1;
      const email = `person${visitors}@example.org`;
      const answer = await signUp(server.url, { email }, anotherVisitor());
      await answer.text();
      if (answer.status === 200) acknowledged.push(email);
    }
  };
  // Each ends when the server is killed before it has answered: nothing was promised.
  const connections = Promise.allSettled(Array.from({ length: 8 }, keepSigningUp));
  const enough = Math.random() * 30;
  await waitUntil(() => expect(acknowledged.length).toBeGreaterThan(enough), 1);
  await pause(Math.random() * 60);
  await server.kill();
  await connections;
  return acknowledged;
}

test(
  'an update reaches everybody though its server is killed, and repeats only mails on their way',
  { timeout },
  async () => {
    const [people, kills] = IS_FULL ? [2000, 50] : [120, 4];
    const { smtp, store, variables } = await startPlace();
    smtp.beforeAccepting = () => pause(2);
    const readers = await seedSubscribers(store, people);
    await queueForAll(store);
    for (let kill = 0; kill < kills; kill += 1) {
      const server = await startBuiltServer(variables);
      // Mails that were on their way at the last kill go out first, and are not to be killed again.
      const enough = smtp.mails.length + 4 + Math.random() * (people / kills - 12);
      await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(enough), 1);
      await server.kill();
    }
    expect(smtp.mails.length).toBeLessThan(people);
    const server = await startBuiltServer(variables);
    await waitForState(store, 'sent');
    await server.stop();
    expect(await readNewest(store)).toMatchObject({ sent: people, failed: 0 });
    expect([...new Set(smtp.mails.map(({ to }) => to))].toSorted()).toEqual(readers.toSorted());
    // A mail that comes twice is the very same message.
    expect(countArrivals(smtp).size).toBe(people);
    const twice = smtp.mails.length - people;
    process.stdout.write(`Update to ${people}: ${kills} kills, ${twice} mails twice with the same Message-ID\n`);
    expect(twice).toBeLessThanOrEqual(kills * 2);
  },
);
