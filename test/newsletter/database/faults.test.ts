import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { isStoreUnreachable } from '#newsletter/database/explain-store-failure.ts';
import { type Store } from '#newsletter/database/open-store.ts';
import { listenOnFreePort } from '../../listen-on-free-port.ts';
import { isUnmet } from '../../machine-needs.ts';
import { makeFolder } from '../../make-folder.ts';
import { content } from '../../test-content.ts';
import { anotherVisitor, startBuiltServer } from '../setup/built-server.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { readRecipients } from '../setup/run-queue.ts';
import {
  freshStore,
  isMissing,
  onEachStore,
  openPlace,
  signUp,
  startNewsletter,
  waitUntil,
  waitUntilSent,
} from '../setup/running-newsletter.ts';
import { startSheet } from '../setup/sheet-sink.ts';
import { startSmtp } from '../setup/smtp-server.ts';
import { takeStoreAway } from '../setup/take-store-away.ts';

async function readAddresses({ db }: Store): Promise<Set<string>> {
  const rows = await db.selectFrom('subscribers').select('email').execute();
  return new Set(rows.map(({ email }) => email));
}

test.skipIf(isUnmet('permission to mount a folder', process.getuid?.() !== 0))(
  'says that the disk is full, writes nothing incomplete, and works again once there is space',
  async () => {
    const folder = makeFolder();
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status).toBe(0);
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
    const smtp = await startSmtp();
    const variables = { DATA_DIR: folder, SMTP_URL: smtp.url };
    const server = await startBuiltServer(variables);
    const store = await openPlace(variables);
    const first = await signUp(server.url, { email: 'first@example.org' }, anotherVisitor());
    expect(first.status).toBe(200);

    const filling = join(folder, 'something-else');
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filling, Buffer.alloc(Math.max(0, bavail - 30) * bsize));
    const answers: { email: string; status: number }[] = [];
    while (answers.filter(({ status }) => status === 503).length < 5 && answers.length < 500) {
      const email = `late${answers.length}@example.org`;
      answers.push({ email, status: (await signUp(server.url, { email }, anotherVisitor())).status });
    }
    expect(answers.at(-1)?.status).toBe(503);
    expect(server.output.join('\n')).toMatch(
      /POST sign-up: 503, the store failed .* the disk is full; free some space/,
    );
    const { errors } = await runCommand(variables, 'erase', 'first@example.org');
    expect(errors).toBe(
      `DATA_DIR: ${join(folder, 'sign-ups.db')} cannot grow because the disk is full; free some space, then try again\n`,
    );

    rmSync(filling);
    const again = await signUp(server.url, { email: 'again@example.org' }, anotherVisitor());
    expect(again.status).toBe(200);
    await waitUntilSent(store);
    const accepted = answers.filter(({ status }) => status === 200).map(({ email }) => email);
    const expected = new Set(['first@example.org', ...accepted, 'again@example.org']);
    expect(await readAddresses(store)).toEqual(expected);
    expect((await sql`pragma integrity_check`.execute(store.db)).rows).toEqual([{ integrity_check: 'ok' }]);
    expect(new Set(smtp.mails.map(({ to }) => to))).toEqual(expected);
    expect(server.output.join('\n')).not.toContain('@');
    expect(await server.stop()).toBe(0);
  },
);

test('makes a sign-up wait while another program locks the database, serves pages in the meantime, and waits for the sign-up when it is stopped', async () => {
  const place = await freshStore();
  const server = await startBuiltServer(place);
  const store = await openPlace(place);
  const bringBack = await takeStoreAway(place);
  const answer = signUp(server.url, {}, anotherVisitor());
  const state = { isAnswered: false };
  void answer.then(() => (state.isAnswered = true));
  for (let page = 0; page < 30; page += 1) expect((await fetch(server.url)).status).toBe(200);
  expect(state.isAnswered).toBe(false);
  const stopped = server.stop();
  await bringBack();
  expect((await answer).status).toBe(200);
  expect(await stopped).toBe(0);
  expect((await readAddresses(store)).size).toBe(1);
});

onEachStore('a server', (name) => {
  test('asks visitors to try again while its store is unavailable, and works again afterwards', async () => {
    const { url, place } = await startNewsletter({}, name);
    const bringBack = await takeStoreAway(place);
    const [refused, sick] = await Promise.all([signUp(url), fetch(`${url}/healthz`)]);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ detail: 'Something went wrong. Please try again.' });
    expect(sick.status).toBe(503);
    expect(await sick.json()).toEqual({ store: 'unreachable' });
    await bringBack();
    expect((await signUp(url)).status).toBe(200);
    const health = () => fetch(`${url}/healthz`);
    await waitUntil(async () => expect((await health()).status).toBe(200));
    expect(await (await health()).json(), 'it says nothing about sign-ups').toEqual({ store: 'reachable' });
  });
});

test.skipIf(isMissing('PostgreSQL'))(
  'fails the health check if PostgreSQL is read-only, and says so at startup',
  async () => {
    const { url, store, place } = await startNewsletter({}, 'PostgreSQL');
    const name = new URL(place.DATABASE_URL!).pathname.slice(1);
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(store.db);
    // Open connections keep using the old setting.
    const bringBack = await takeStoreAway(place);
    await bringBack();
    expect((await fetch(`${url}/healthz`)).status).toBe(503);
    const start = openNewsletter(parseEnvironment(place), content);
    await expect(start).rejects.toThrow(/^DATABASE_URL: PostgreSQL at .+ is read-only; /);
  },
);

test.skipIf(isMissing('PostgreSQL'))(
  'two servers on one PostgreSQL email everybody once and send each row once, even under load',
  async () => {
    const smtp = await startSmtp();
    const sheet = await startSheet();
    const variables = {
      ...(await freshStore('PostgreSQL')),
      SMTP_URL: smtp.url,
      SHEET_URL: sheet.url,
      TRUSTED_PROXY_HEADER: 'X-Client',
      MAIL_HOURLY_CAP: '1000000',
    };
    const servers = await Promise.all([startNewsletter(variables), startNewsletter(variables)]);
    // Each address signs up with both servers at about the same time.
    const people = Array.from({ length: 10 }, (_, index) => `shared${index}@example.org`);
    const answers = people.flatMap((email) => servers.map(({ url }) => signUp(url, { email }, anotherVisitor())));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    await waitUntilSent(servers[0].store);
    expect(readRecipients(smtp)).toEqual(people.toSorted());
    expect(sheet.posts.map(({ email }) => email).toSorted()).toEqual(people.toSorted());
  },
);

test('waits at startup while another program locks the database', async () => {
  const place = await freshStore();
  await (await openNewsletter(parseEnvironment(place), content)).close();
  const bringBack = await takeStoreAway(place);
  // After the first attempt has failed.
  setTimeout(() => void bringBack());
  await expect(openNewsletter(parseEnvironment(place), content).then(({ close }) => close())).resolves.toBeUndefined();
});

test.skipIf(isMissing('PostgreSQL'))(
  'treats a connection that is reset during a query as a store that is unavailable',
  async () => {
    const place = await freshStore('PostgreSQL');
    const url = new URL(place.DATABASE_URL!);
    const postgres = { host: url.hostname, port: Number(url.port) };
    const sockets: Socket[] = [];
    const proxy = await listenOnFreePort(
      createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        socket.pipe(connect(postgres).on('error', () => undefined)).pipe(socket);
      }),
    );
    onTestFinished(proxy.stop);
    url.port = String(proxy.port);
    const store = await openPlace({ ...place, DATABASE_URL: url.href });
    const query = sql`select pg_sleep(60)`.execute(store.db).catch((error: unknown) => error);
    const other = await openPlace(place);
    await waitUntil(async () => {
      const running = sql`select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`;
      expect((await running.execute(other.db)).rows).toHaveLength(1);
    });
    for (const socket of sockets) socket.resetAndDestroy();
    const error = await query;
    expect([(error as { code: string }).code, isStoreUnreachable(error)]).toEqual(['ECONNRESET', true]);
  },
);
