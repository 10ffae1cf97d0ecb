import { once } from 'node:events';
import { connect } from 'node:net';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { anotherVisitor, type BuiltServer, startBuiltServer, tryToStart } from './built-server.ts';
import { freshStore, onEachStore, signUp, startNewsletter, waitUntil } from './running-newsletter.ts';
import { startSmtp } from './smtp-sink.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Variables = { DATA_DIR: string; DATABASE_URL?: string };

/** Takes the store away as another program or a restart would; gives what brings it back. */
async function takeStoreAway({ DATA_DIR, DATABASE_URL }: Variables): Promise<() => Promise<void>> {
  if (DATABASE_URL === undefined) {
    const database = new DatabaseSync(join(DATA_DIR, 'sign-ups.db'), { timeout: 2000 });
    database.exec('begin exclusive');
    return async () => {
      database.exec('commit');
      database.close();
    };
  }
  const url = new URL(DATABASE_URL);
  const name = url.pathname.slice(1);
  url.pathname = 'postgres';
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  return async () => {
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
  };
}

function deliveriesIn(dataDir: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(dataDir, 'sign-ups.db'), { readOnly: true });
  const rows = database.prepare('select * from deliveries').all();
  database.close();
  return rows;
}

onEachStore('the queue', (name) => {
  test('a mail that was accepted while the store was away is recorded when it is back, and not sent again', async () => {
    const smtp = await startSmtp();
    const variables = await freshStore(name);
    const running = await startNewsletter({ ...variables, SMTP_URL: smtp.url.replace('=800', '=20000') });
    let bringBack: (() => Promise<void>) | undefined;
    smtp.beforeAccepting = async () => {
      bringBack ??= await takeStoreAway(variables);
    };
    await signUp(running.url);
    await waitUntil(() => expect(running.log.join('\n')).toContain('the store cannot be used'));
    await bringBack?.();
    await waitUntil(async () => {
      const rows = await running.newsletter.store.db.selectFrom('deliveries').selectAll().execute();
      expect(rows).toMatchObject([{ state: 'sent', attempts: 1, lease_until: null }]);
    });
    expect(smtp.mails).toHaveLength(1);
  });
});

test('a server that crashes again and again at the same mail stops mailing that person', async () => {
  const smtp = await startSmtp();
  const variables = { ...(await freshStore('SQLite')), SMTP_URL: smtp.url.replace('=800', '=60000') };
  let arrived = Promise.withResolvers<void>();
  // Accepted as far as the mail server is concerned, but the server never hears of it.
  smtp.beforeAccepting = () => {
    arrived.resolve();
    return new Promise(() => undefined);
  };
  const crash = async (act: (server: BuiltServer) => unknown) => {
    arrived = Promise.withResolvers<void>();
    const server = await startBuiltServer(variables);
    await act(server);
    await arrived.promise;
    await server.kill();
  };
  await crash((server) => signUp(server.url, {}, anotherVisitor()));
  expect(deliveriesIn(variables.DATA_DIR)).toMatchObject([{ attempts: 1, state: 'sending' }]);
  await crash(() => undefined);

  const server = await startBuiltServer(variables);
  expect(deliveriesIn(variables.DATA_DIR)).toMatchObject([
    { state: 'failed', last_error: 'it may have arrived: the server ended while it was sending this' },
  ]);
  expect(smtp.mails).toHaveLength(2);
  await server.stop();
});

test('a request that is never finished does not keep the server from stopping', async () => {
  const server = await startBuiltServer(await freshStore('SQLite'));
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(
    'POST /api/newsletter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  );
  // Answered after it, so the server has read the other one's beginning.
  expect((await fetch(server.url)).status).toBe(200);
  const asked = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - asked).toBeLessThan(13_000);
});

/** `npm start` in a process group of its own, as a service manager or a shell gives it. */
async function startStarter(variables: Record<string, string>) {
  const starter = spawn(process.execPath, [join(ROOT, 'tools/run.mjs'), '--build', 'dist/server/main.js'], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const { pid = 0 } = starter;
  const exited = once(starter, 'exit');
  onTestFinished(() => {
    if (starter.exitCode === null) process.kill(-pid, 'SIGKILL');
  });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: starter.stdout }).on('line', (line) => {
      const address = /^Site: +(\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
  });
  return { url, pid, group: -pid, exited };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s to the starter alone stops the server', async (signal) => {
  const { url, pid, exited } = await startStarter(await freshStore('SQLite'));
  process.kill(pid, signal);
  expect(await exited).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('a second Ctrl-C, a moment after the first, ends it at once though a mail is under way', async () => {
  const smtp = await startSmtp();
  const variables = { ...(await freshStore('SQLite')), SMTP_URL: smtp.url.replace('=800', '=30000') };
  const atMail = Promise.withResolvers<void>();
  smtp.beforeAccepting = () => {
    atMail.resolve();
    return new Promise(() => {});
  };
  const server = await startBuiltServer(variables);
  const exited = once(server.process, 'exit');
  await signUp(server.url);
  await atMail.promise;
  const begun = performance.now();
  // As a person presses it until something happens.
  const pressing = setInterval(() => server.process.kill('SIGINT'), 300);
  expect(await exited).toEqual([1, null]);
  clearInterval(pressing);
  expect(performance.now() - begun).toBeGreaterThan(1000);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('stopped together with its starter, it waits for a mail server that is slow to accept', async () => {
  const smtp = await startSmtp();
  const store = await freshStore('SQLite');
  const variables = { ...store, SMTP_URL: smtp.url.replace('=800', '=30000') };
  const atMail = Promise.withResolvers<void>();
  const accept = Promise.withResolvers<void>();
  smtp.beforeAccepting = () => {
    atMail.resolve();
    return accept.promise;
  };
  const { url, group, exited } = await startStarter(variables);
  await signUp(url);
  await atMail.promise;
  process.kill(group, 'SIGTERM');
  // Visitors are answered until the mail has ended.
  expect((await fetch(url)).status).toBe(200);
  // Some service managers say it twice.
  process.kill(group, 'SIGTERM');
  // Longer than any stop used to wait.
  setTimeout(accept.resolve, 6000);
  expect(await exited).toEqual([0, null]);
  expect(deliveriesIn(store.DATA_DIR)).toMatchObject([{ state: 'sent', attempts: 1 }]);
  expect(smtp.mails).toHaveLength(1);
});

test('a second server on the same folder is refused, and the first goes on', async () => {
  const variables = await freshStore('SQLite');
  const first = await startBuiltServer(variables);
  const { code, errors } = tryToStart(variables);
  expect(code).toBe(1);
  expect(errors).toMatch(/^DATA_DIR: another server is already using .*\n$/);
  expect((await signUp(first.url, {}, anotherVisitor())).status).toBe(200);
  await first.kill();
  const next = await startBuiltServer(variables);
  expect(await next.stop()).toBe(0);
});
