import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anotherVisitor, type BuiltServer, startBuiltServer, tryToStart } from './built-server.ts';
import { freshStore, signUp, waitUntil } from './running-newsletter.ts';
import { startSmtp } from './smtp-sink.ts';

const SECRET = 'a secret of the tests, which is long enough';

/** Starts a server that sends its links to a mail server, and gives the one that a new subscriber is mailed. */
async function serverWithLink(variables: Record<string, string>, page: 'unsubscribe' | 'confirm') {
  const smtp = await startSmtp();
  const server = await startBuiltServer({
    ...variables,
    SMTP_URL: smtp.url,
    ...(page === 'confirm' && { DOUBLE_OPT_IN: 'true' }),
  });
  await signUp(server.url, {}, anotherVisitor());
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const path = new RegExp(`/newsletter/${page}/\\S+`).exec(smtp.mails[0]?.text ?? '')?.[0] ?? '/no-link';
  return { server, link: server.url + path };
}

async function linesAbout(server: BuiltServer, what: RegExp): Promise<string[]> {
  await waitUntil(() => expect(server.output.join('\n')).toMatch(what));
  return server.output.filter((line) => what.test(line));
}

describe.each(['unsubscribe', 'confirm'] as const)('the page to %s', (name) => {
  test('says to try again while the store cannot be used, and then does what it says', async () => {
    const variables = await freshStore('SQLite');
    const { server, link } = await serverWithLink(variables, name);
    const database = new DatabaseSync(join(variables.DATA_DIR, 'sign-ups.db'), { timeout: 2000 });
    database.exec('begin exclusive');
    const answer = await fetch(link, { method: 'POST' });
    database.exec('commit');
    database.close();
    expect(answer.status).toBe(503);
    const page = await answer.text();
    expect(page).toContain('Something went wrong. Please try again.');
    expect(page).toMatch(/<form method="post">.*<button/s);
    expect(page).not.toMatch(/locked|SQLITE|ERR_/);

    const lines = await linesAbout(server, new RegExp(`POST ${name}: 503`));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z .*\(ERR_SQLITE_ERROR 5 at src\/[\w/-]+\.ts:\d+\)/);
    expect(server.output.join('\n')).not.toContain('@');
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  }, 20_000);
});

describe('a start that cannot work says what, where and what to do', () => {
  test.each([
    ['is not a database', (file: string) => writeFileSync(file, 'x'.repeat(4096))],
    ['is a folder', (file: string) => mkdirSync(file)],
  ])('when the file of the list %s', async (reason, spoil) => {
    const variables = await freshStore('SQLite');
    const file = join(variables.DATA_DIR, 'sign-ups.db');
    spoil(file);
    const { code, errors } = tryToStart(variables);
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^DATA_DIR: ${file} ${reason}; .+\\n$`));
  });

  test('when PostgreSQL does not answer', () => {
    const { code, errors } = tryToStart({
      DATABASE_URL: 'postgres://owner:hunter2@127.0.0.1:1/list',
      SIGNING_SECRET: SECRET,
    });
    expect(code).toBe(1);
    expect(errors).toBe(
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1/list cannot be reached; start it, or correct the address (ECONNREFUSED)\n',
    );
  });

  test('when another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const variables = { ...(await freshStore('SQLite')), HOST: '127.0.0.1', PORT: String(port) };
    const { code, errors } = tryToStart(variables);
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^PORT: ${port} is already in use on this machine; .+\\n$`));
  });

  test('when the signing secret is empty, since anybody could forge links then', async () => {
    const variables = await freshStore('SQLite');
    const file = join(variables.DATA_DIR, 'signing-secret');
    writeFileSync(file, '\n');
    const { code, errors } = tryToStart(variables);
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^DATA_DIR: expected at least 32 characters in ${file}, found 0; .+\\n$`));
  });
});
