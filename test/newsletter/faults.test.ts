import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openNewsletter } from '#server/newsletter/open-newsletter.ts';
import { parseEnvironment } from '#shared/environment.ts';
import { isUnmet } from '../machine-needs.ts';
import { makeFolder } from '../make-folder.ts';
import { content } from '../test-content.ts';
import { anotherVisitor, type BuiltServer, startBuiltServer } from './built-server.ts';
import { freshStore, isMissing, onEachStore, type Place, signUp, unsentIn, waitUntil } from './running-newsletter.ts';
import { startSheet } from './sheet-sink.ts';
import { startSmtp } from './smtp-server.ts';
import { takeStoreAway } from './take-store-away.ts';

function storedAddresses(dataDir: string): Set<string> {
  const database = new DatabaseSync(join(dataDir, 'sign-ups.db'), { readOnly: true });
  const rows = database.prepare('select address from subscribers').all();
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return new Set(rows.map((row) => String(row.address)));
}

/** Counting opens the store, which must not keep the server from using it. */
function isAllSent(place: Place) {
  return waitUntil(async () => expect(await unsentIn(place)).toEqual({ waiting: 0, failed: 0 }), 250);
}

test.skipIf(isUnmet('right to mount a folder', process.getuid?.() !== 0))(
  'on a full disk it says so, writes nothing by halves, and works again when there is room',
  async () => {
    const folder = makeFolder();
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status).toBe(0);
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
    const smtp = await startSmtp();
    const variables = { DATA_DIR: folder, SMTP_URL: smtp.url };
    const server = await startBuiltServer(variables);
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

    rmSync(filling);
    const again = await signUp(server.url, { email: 'again@example.org' }, anotherVisitor());
    expect(again.status).toBe(200);
    await isAllSent(variables);
    const accepted = answers.filter(({ status }) => status === 200).map(({ email }) => email);
    const expected = new Set(['first@example.org', ...accepted, 'again@example.org']);
    expect(storedAddresses(folder)).toEqual(expected);
    expect(new Set(smtp.mails.map(({ to }) => to))).toEqual(expected);
    expect(server.output.join('\n')).not.toContain('@');
    expect(await server.stop()).toBe(0);
  },
);

/** Sends a sign-up; settles once the server has begun to read it, with the answer still to come. */
async function beginSignUp(url: string): Promise<{ answer: Promise<IncomingMessage> }> {
  const sending = request(`${url}/api/newsletter`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Expect: '100-continue', ...anotherVisitor() },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  const answer = once(sending, 'response').then(([response]) => (response as IncomingMessage).resume());
  sending.end(JSON.stringify({ email: 'anna@example.org', name: '', role: '', source: 'Footer' }));
  return { answer };
}

test('while another program holds the database a sign-up waits, pages are answered, and a stop waits for both', async () => {
  const place = await freshStore();
  const server = await startBuiltServer(place);
  const bringBack = await takeStoreAway(place);
  const { answer } = await beginSignUp(server.url);
  const state = { isAnswered: false };
  void answer.then(() => (state.isAnswered = true));
  for (let page = 0; page < 30; page += 1) expect((await fetch(server.url)).status).toBe(200);
  expect(state.isAnswered).toBe(false);
  expect(storedAddresses(place.DATA_DIR).size).toBe(0);
  const stopped = server.stop();
  await bringBack();
  expect((await answer).statusCode).toBe(200);
  expect(await stopped).toBe(0);
  expect(storedAddresses(place.DATA_DIR).size).toBe(1);
});

onEachStore('a server', (name) => {
  test('whose store does not come back asks visitors to try again, and works again when it is back', async () => {
    const place = await freshStore(name);
    const server = await startBuiltServer(place);
    const bringBack = await takeStoreAway(place);
    const refused = await signUp(server.url, {}, anotherVisitor());
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ detail: 'Something went wrong. Please try again.' });
    const sick = await fetch(`${server.url}/healthz`);
    expect(sick.status).toBe(503);
    expect(await sick.json()).toEqual({ store: 'unreachable' });
    await bringBack();
    expect((await signUp(server.url, {}, anotherVisitor())).status).toBe(200);
    await waitUntil(async () => expect((await fetch(`${server.url}/healthz`)).status).toBe(200));
  });
});

test.skipIf(isMissing('PostgreSQL'))(
  'two servers on one PostgreSQL, both under load, mail everybody once and send each row once',
  async () => {
    const smtp = await startSmtp();
    const sheet = await startSheet();
    const variables = {
      ...(await freshStore('PostgreSQL')),
      SMTP_URL: smtp.url,
      SHEET_URL: sheet.url,
      SIGNING_SECRET: 'a secret that both of them share, 32 long',
    };
    const servers = await Promise.all([startBuiltServer(variables), startBuiltServer(variables)]);
    const statuses: number[] = [];
    const connection = async (server: BuiltServer, first: number) => {
      // Every address comes to both, at about the same time.
      for (let person = first; person < 200; person += 8) {
        const answer = await signUp(server.url, { email: `shared${person}@example.org` }, anotherVisitor());
        statuses.push(answer.status);
      }
    };
    await Promise.all(servers.flatMap((server) => Array.from({ length: 8 }, (_, first) => connection(server, first))));
    expect(statuses).toEqual(Array(400).fill(200));
    await isAllSent(variables);
    expect(new Set(smtp.mails.map(({ to }) => to)).size).toBe(200);
    expect(smtp.mails).toHaveLength(200);
    expect(new Set(sheet.posts.map((row) => row.email)).size).toBe(200);
    expect(sheet.posts).toHaveLength(200);
  },
);

test('a start waits while another program holds the database', async () => {
  const place = await freshStore();
  await (await openNewsletter(parseEnvironment(place), content)).close();
  const bringBack = await takeStoreAway(place);
  // Once the first try has failed.
  setTimeout(() => void bringBack());
  await expect(openNewsletter(parseEnvironment(place), content).then(({ close }) => close())).resolves.toBeUndefined();
});
