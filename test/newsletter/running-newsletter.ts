import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, vi } from 'vitest';
import { type Environment, parseEnvironment } from '#shared/environment.ts';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { countUnsent, type Unsent } from '#mail/queue/unsent.ts';
import { openNewsletter, type Newsletter } from '#server/newsletter/open-newsletter.ts';
import { openStore, type Store } from '#store/open-store.ts';
import { createRoutes } from '#server/routes.tsx';
import type { Site } from '#site/page.ts';
import { isUnmet } from '../machine-needs.ts';
import { TEST_SITE } from '../built-sites.ts';
import { content } from '../test-content.ts';
import { type SmtpSink, startSmtp } from './smtp-sink.ts';

const site: Site = JSON.parse(readFileSync(join(TEST_SITE, 'server/site.json'), 'utf8'));

const STORES = ['SQLite', 'PostgreSQL'] as const;
export type StoreName = (typeof STORES)[number];

/**
 * Tries a promise on both kinds of store; PostgreSQL's tests are skipped where there is none.
 * @param subject of what the titles of the tests speak
 */
export function onEachStore(subject: string, tests: (name: StoreName) => void): void {
  for (const name of STORES) {
    describe.skipIf(isMissing(name))(`${subject} on ${name}`, () => {
      tests(name);
    });
  }
}

export function isMissing(store: StoreName): boolean {
  return store === 'PostgreSQL' && isUnmet('PostgreSQL', inject('postgresUrl') === undefined);
}

/** The variables of a fresh store that goes away with the test: a folder, or a database of its own. */
export async function freshStore(store: StoreName): Promise<{ DATA_DIR: string; DATABASE_URL?: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder, ...(store === 'PostgreSQL' ? { DATABASE_URL: await freshDatabase() } : {}) };
}

async function freshDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl') ?? '');
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = name;
  return url.href;
}

export type RunningNewsletter = {
  url: string;
  env: Environment;
  newsletter: Newsletter;
  /** Everything it logged. */
  log: string[];
  stop: () => Promise<void>;
};

/** The site's own routes and receiver in this process, on a free port, so that a test may look into the store. */
export async function startNewsletter(variables: Record<string, string>): Promise<RunningNewsletter> {
  const env = parseEnvironment({ PORT: '0', ...variables });
  const newsletter = await openNewsletter(env, content);
  const log: string[] = [];
  const logLine = (line: string) => {
    log.push(line);
  };
  const app = createRoutes(site, undefined, { newsletter, log: logLine });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  await newsletter.startDeliveries(env.SITE_URL ?? url, logLine);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    const closed = once(server, 'close');
    server.close();
    if ('closeIdleConnections' in server) server.closeIdleConnections();
    await closed;
    await newsletter.close();
  };
  onTestFinished(stop);
  return { url, env, newsletter, log, stop };
}

/** The same with a mail server, to which its mails go. */
export async function startWithSmtp(
  store: StoreName,
  variables: Record<string, string> = {},
): Promise<{ smtp: SmtpSink; running: RunningNewsletter }> {
  const smtp = await startSmtp();
  return { smtp, running: await startNewsletter({ ...(await freshStore(store)), SMTP_URL: smtp.url, ...variables }) };
}

/** Waits until nothing fails in what is given, as long as a busy machine may take. */
export function waitUntil(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 50_000, interval: 20 });
}

/** Waits until every delivery is sent. */
export async function waitUntilSent(store: Store): Promise<void> {
  await waitUntil(async () => expect(await countUnsent(store)).toEqual({ waiting: 0, failed: 0 }));
}

/** How many deliveries wait and failed in the store of a server that runs elsewhere. */
export async function unsentIn(variables: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Unsent> {
  const store = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
  try {
    return await countUnsent(store);
  } finally {
    await store.close();
  }
}

/** Signs up as the form does. Each call may come from an address of its own, so that the rate limit does not meddle. */
export async function signUp(
  url: string,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const payload = { email: 'anna@example.org', name: '', role: '', source: 'Footer', ...fields };
  return fetch(url + NEWSLETTER_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(payload),
  });
}
