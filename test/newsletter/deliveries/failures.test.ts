import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openNewsletter } from '#newsletter/open-newsletter.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { content } from '../../test-content.ts';
import { anotherVisitor, runBuilt, startBuiltServer } from '../setup/built-server.ts';
import { freshStore, signUp, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';
import { startSmtp } from '../setup/smtp-server.ts';
import { takeStoreAway } from '../setup/take-store-away.ts';

test('asks to try again on a link’s page while the store is down, and works once it is back', async () => {
  const smtp = await startSmtp();
  const place = await freshStore();
  const server = await startBuiltServer({ ...place, SMTP_URL: smtp.url, DOUBLE_OPT_IN: 'true' });
  await signUp(server.url, {}, anotherVisitor());
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const path = /\/newsletter\/confirm\/\S+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '/no-link';
  const post = () => fetch(server.url + path, { method: 'POST' });
  const bringBack = await takeStoreAway(place);
  const response = await post();
  await bringBack();
  expect(response.status).toBe(503);
  const page = await response.text();
  expect(page).toContain('Something went wrong. Please try again.');
  expect(page).toMatch(/<form method="post">.*<button/s);
  expect(page).not.toMatch(/is locked|SQLITE|ERR_/);

  const lines = () => server.output.filter((line) => line.includes('POST confirm: 503'));
  await waitUntil(() => expect(lines()).toHaveLength(1));
  expect(lines()[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z .*\(ERR_SQLITE_ERROR 5 at src\/[\w/-]+\.ts:\d+\)/);
  expect(server.output.join('\n')).not.toContain('@');
  expect((await post()).status).toBe(200);
});

test.each<[string, (folder: string) => Record<string, string> | void, string]>([
  [
    'the list’s file is not a database',
    (folder) => writeFileSync(join(folder, 'sign-ups.db'), 'x'.repeat(4096)),
    'DATA_DIR: FOLDER/sign-ups.db is not a database; ',
  ],
  [
    'the signing secret’s file is a folder',
    (folder) => mkdirSync(join(folder, 'signing-secret')),
    'DATA_DIR: FOLDER/signing-secret cannot be read: this is a folder; a file was expected',
  ],
  [
    'PostgreSQL does not respond',
    () => ({ DATABASE_URL: 'postgres://owner:hunter2@127.0.0.1:1/list', SIGNING_SECRET: 'x'.repeat(32) }),
    'DATABASE_URL: PostgreSQL at 127.0.0.1:1/list cannot be reached; start it, or correct the address (ECONNREFUSED)',
  ],
  [
    'the signing secret is empty, with which anybody could forge links',
    (folder) => writeFileSync(join(folder, 'signing-secret'), '\n'),
    'DATA_DIR: expected at least 32 characters in FOLDER/signing-secret, found 0; delete it, and the server will make a new one',
  ],
])('says at startup what is wrong, where, and what to do if %s', async (_, spoil, message) => {
  const place = await freshStore();
  const env = parseEnvironment({ ...place, ...spoil(place.DATA_DIR) });
  await expect(openNewsletter(env, content)).rejects.toThrow(message.replace('FOLDER', place.DATA_DIR));
});

test('doesn’t suggest a new secret for a list whose secret was cut off, since the next start would fail', async () => {
  const { place, stop } = await startNewsletter();
  await stop();
  writeFileSync(join(place.DATA_DIR, 'signing-secret'), 'cut off');
  await expect(startNewsletter(place)).rejects.toThrow(
    'found 7; restore the file from a backup. With another secret, the list can’t be opened',
  );
});

test('doesn’t start with a signing secret that isn’t the list’s, and says why', async () => {
  const { place, stop } = await startNewsletter();
  await stop();
  const variables = { ...place, SIGNING_SECRET: 'another secret, which is long enough' };
  await expect(startNewsletter(variables)).rejects.toThrow('SIGNING_SECRET');
});

test('doesn’t start if it would email links to localhost, and says why', async () => {
  const variables = { ...(await freshStore()), HOST: '127.0.0.1', SMTP_URL: 'smtp://127.0.0.1:1' };
  const { code, errors } = await runBuilt('main', [], { PORT: '0', ...variables });
  expect(code).toBe(1);
  expect(errors).toMatch(/^SITE_URL: expected the public URL, .*, since SMTP_URL is set and links .*\n$/);
});
