import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { anotherVisitor, type BuiltServer, startBuiltServer } from './built-server.ts';
import { runCommand } from './owner-commands.ts';
import { freshStore, signUp } from './running-newsletter.ts';
import { startSmtp } from './smtp-server.ts';

/** `npm run stress` kills it more often. */
const IS_FULL = process.env.STRESS === 'full';
const KILLS = IS_FULL ? 1000 : 12;
const CONNECTIONS = 8;

const timeout = IS_FULL ? 7_200_000 : 120_000;

test('killed amid sign-ups, it keeps each acknowledged one and repeats no recorded mail', { timeout }, async () => {
  const { arrivals, url } = await startCountingSmtp();
  const { DATA_DIR } = await freshStore();
  const query = (sql: string) => queryFile(join(DATA_DIR, 'sign-ups.db'), sql);
  const variables = { DATA_DIR, SMTP_URL: url };
  const acknowledged: string[] = [];
  /** How often a kill met a delivery on its way: its mail may have been accepted, and comes again. */
  const interruptions = new Map<unknown, number>();
  for (let kills = 0; kills < KILLS; kills += 1) {
    acknowledged.push(...(await killAmidSignUps(await startBuiltServer(variables))));
    for (const { id } of query(`select id from deliveries where state = 'sending'`)) count(interruptions, id);
  }

  // The last one sends what is left, also what was interrupted too often.
  const server = await startBuiltServer(variables);
  await runCommand(variables, 'retry', 'all');
  const unsent = `select id from deliveries where state != 'sent'`;
  await vi.waitFor(() => expect(query(unsent)).toEqual([]), { timeout: timeout / 2, interval: 100 });
  expect(await server.stop()).toBe(0);

  expect(query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const people = query(`select address, deliveries.id from subscribers
    left join deliveries on subscriber_id = subscribers.id and kind = 'welcome'`);
  const addresses = new Set(people.map(({ address }) => address));
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(acknowledged.filter((address) => !addresses.has(address))).toEqual([]);
  expect(people.filter(({ id }) => !arrivals.has(id))).toEqual([]);
  const unexplained = people.filter(({ id }) => arrivals.get(id)! > 1 + (interruptions.get(id) ?? 0));
  expect(unexplained).toEqual([]);
  const twice = people.filter(({ id }) => arrivals.get(id)! > 1).length;
  process.stdout.write(`${KILLS} kills: ${acknowledged.length} sign-ups acknowledged, ${twice} mails more than once\n`);
});

/** A mail server that keeps no mail: it counts how often each delivery came, by its Message-ID. */
async function startCountingSmtp() {
  const smtp = await startSmtp();
  const arrivals = new Map<unknown, number>();
  smtp.beforeAccepting = () => {
    for (const { messageId } of smtp.mails.splice(0)) count(arrivals, /<(.+)@/.exec(messageId ?? '')?.[1]);
    smtp.taken.length = 0;
  };
  return { url: smtp.url, arrivals };
}

function count(counts: Map<unknown, number>, key: unknown): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function queryFile(file: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

let people = 0;

/**
 * Kills it after some acknowledged sign-ups, and some milliseconds of the sending that follows.
 * @returns the addresses whose sign-up was acknowledged before
 */
async function killAmidSignUps(server: BuiltServer): Promise<string[]> {
  const acknowledged: string[] = [];
  const keepSigningUp = async () => {
    for (;;) {
      people += 1;
      const email = `person${people}@example.org`;
      const answer = await signUp(server.url, { email }, anotherVisitor());
      await answer.text();
      if (answer.status === 200) acknowledged.push(email);
    }
  };
  // Each ends when the server is killed before it has answered: nothing was promised.
  const connections = Promise.allSettled(Array.from({ length: CONNECTIONS }, keepSigningUp));
  const enough = Math.random() * 30;
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), { timeout: 60_000, interval: 1 });
  await pause(Math.random() * 60);
  await server.kill();
  await connections;
  return acknowledged;
}
