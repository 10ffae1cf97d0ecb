import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anotherVisitor, startBuiltServer, tryToStart } from './built-server.ts';
import { freshStore, signUp, waitUntil } from './running-newsletter.ts';
import { startSmtp } from './smtp-server.ts';
import { takeStoreAway } from './take-store-away.ts';

test('the page of a link says to try again while the store cannot be used, and then does what it says', async () => {
  const smtp = await startSmtp();
  const place = await freshStore();
  const server = await startBuiltServer({ ...place, SMTP_URL: smtp.url, DOUBLE_OPT_IN: 'true' });
  await signUp(server.url, {}, anotherVisitor());
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const path = /\/newsletter\/confirm\/\S+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '/no-link';
  const post = () => fetch(server.url + path, { method: 'POST' });
  const bringBack = await takeStoreAway(place);
  const answer = await post();
  await bringBack();
  expect(answer.status).toBe(503);
  const page = await answer.text();
  expect(page).toContain('Something went wrong. Please try again.');
  expect(page).toMatch(/<form method="post">.*<button/s);
  expect(page).not.toMatch(/locked|SQLITE|ERR_/);

  const lines = () => server.output.filter((line) => line.includes('POST confirm: 503'));
  await waitUntil(() => expect(lines()).toHaveLength(1));
  expect(lines()[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z .*\(ERR_SQLITE_ERROR 5 at src\/[\w/-]+\.ts:\d+\)/);
  expect(server.output.join('\n')).not.toContain('@');
  expect((await post()).status).toBe(200);
});

describe('a start that cannot work says what, where and what to do', () => {
  const refused = (message: RegExp) => ({ code: 1, errors: expect.stringMatching(message) });

  test.each([
    ['is not a database', (file: string) => writeFileSync(file, 'x'.repeat(4096))],
    ['is a folder', (file: string) => mkdirSync(file)],
  ])('when the file of the list %s', async (reason, spoil) => {
    const place = await freshStore();
    const file = join(place.DATA_DIR, 'sign-ups.db');
    spoil(file);
    expect(await tryToStart(place)).toMatchObject(refused(new RegExp(`^DATA_DIR: ${file} ${reason}; .+\\n$`)));
  });

  test('when PostgreSQL does not answer', async () => {
    const DATABASE_URL = 'postgres://owner:hunter2@127.0.0.1:1/list';
    const errors =
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1/list cannot be reached; start it, or correct the address (the connection is refused: nothing answers at this host and port)\n';
    expect(await tryToStart({ DATABASE_URL, SIGNING_SECRET: 'x'.repeat(32) })).toMatchObject({ code: 1, errors });
  });

  test('when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const variables = { ...(await freshStore()), HOST: '127.0.0.1', PORT: String(port) };
    expect(await tryToStart(variables)).toMatchObject(
      refused(new RegExp(`^PORT: ${port} is already in use on this machine; .+\\n$`)),
    );
  });

  test('when the signing secret is empty, since anybody could forge links then', async () => {
    const place = await freshStore();
    const file = join(place.DATA_DIR, 'signing-secret');
    writeFileSync(file, '\n');
    const message = new RegExp(`^DATA_DIR: expected at least 32 characters in ${file}, found 0; .+\\n$`);
    expect(await tryToStart(place)).toMatchObject(refused(message));
  });

  test('when a setting is not what it must be', async () => {
    const errors = 'PORT: expected a whole number from 0 to 65535\n';
    expect(await tryToStart({ PORT: 'eighty' })).toMatchObject({ code: 1, errors });
  });

  test('when the signing secret is another than the one that the list was begun with', async () => {
    const place = await freshStore();
    await (await startBuiltServer(place)).stop();
    const variables = { ...place, SIGNING_SECRET: 'another secret, which is long enough' };
    expect(await tryToStart(variables)).toMatchObject(refused(/SIGNING_SECRET/));
  });
});
