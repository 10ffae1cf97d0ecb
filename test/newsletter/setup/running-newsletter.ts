import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { getRequestListener } from '@hono/node-server';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, vi } from 'vitest';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { countUnsent } from '#newsletter/deliveries/queue/unsent.ts';
import { createLimitedServer } from '#server/limit-connections.ts';
import { openNewsletter, type Newsletter } from '#newsletter/open-newsletter.ts';
import { openStore, type Store } from '#newsletter/database/open-store.ts';
import type { Delivery, Subscriber } from '#newsletter/database/schema.ts';
import { createDevelopmentApp, createSiteApp } from '#server/routes.tsx';
import type { SiteFiles } from '#server/site-files.ts';
import type { BuiltSite } from '#build/built-site.ts';
import { addFooterLinks } from '#pages/render-page.tsx';
import { listenOnFreePort } from '../../listen-on-free-port.ts';
import { isUnmet } from '../../machine-needs.ts';
import { makeFolder } from '../../make-folder.ts';
import { TEST_SITE } from '../../built-sites.ts';
import { content } from '../../test-content.ts';
import type { CommandResult } from './built-server.ts';
import { runCommand } from './owner-commands.ts';
import { type SmtpServer, startSmtp } from './smtp-server.ts';

const site = addFooterLinks(JSON.parse(readFileSync(join(TEST_SITE, 'content.json'), 'utf8')) as BuiltSite);

const STORES = ['SQLite', 'PostgreSQL'] as const;
export type StoreName = (typeof STORES)[number];

/** The variables of a store. */
export type Place = { DATA_DIR: string; DATABASE_URL?: string };

/**
 * Runs tests on both kinds of store; those of PostgreSQL are skipped if the machine has none.
 * @param subject of the tests' titles
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

/** A new store that is removed after the test: a folder, or a database. */
export async function freshStore(store: StoreName = 'SQLite'): Promise<Place> {
  return { DATA_DIR: makeFolder(), ...(store === 'PostgreSQL' ? { DATABASE_URL: await freshDatabase() } : {}) };
}

async function freshDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl') ?? '');
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name} template migrated`);
  await client.end();
  url.pathname = name;
  return url.href;
}

/** Opens a store without a server, until the test ends. */
export async function openPlace(place: Pick<Environment, 'DATA_DIR' | 'DATABASE_URL'>): Promise<Store> {
  const store = await openStore({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
  onTestFinished(() => store.close());
  return store;
}

export type RunningNewsletter = {
  url: string;
  env: Environment;
  newsletter: Newsletter;
  store: Store;
  /** Its store's variables, for another server. */
  place: Place;
  /** The list, sorted by email address. */
  people: () => Promise<Subscriber[]>;
  /** All deliveries, oldest first. */
  deliveries: () => Promise<Delivery[]>;
  /** One of the owner's commands on its store. */
  command: (...words: string[]) => Promise<CommandResult>;
  /** Everything it logged. */
  log: string[];
  stop: () => Promise<void>;
};

/**
 * Runs the site's routes and newsletter in this process, on a free port, so that a test can read the store.
 * @param variables if they name no store, it gets a new one
 * @param files of the site, if a test needs them
 */
export async function startNewsletter(
  variables: Record<string, string | undefined> = {},
  name: StoreName = 'SQLite',
  files?: SiteFiles,
): Promise<RunningNewsletter> {
  const fresh = variables.DATA_DIR === undefined ? await freshStore(name) : {};
  const given: Record<string, string | undefined> = { PORT: '0', ...fresh, ...variables };
  const env = parseEnvironment({ PRIVATE_DIR: join(given.DATA_DIR ?? '', 'private'), ...given });
  const newsletter = await openNewsletter(env, content);
  const { store } = newsletter;
  const log: string[] = [];
  const logLine = (line: string) => void log.push(line);
  const options = { newsletter, log: logLine };
  const { fetch } = files ? createSiteApp(site, files, options) : createDevelopmentApp(site, options);
  const server = createLimitedServer(getRequestListener(fetch), env.TRUSTED_PROXY_HEADER !== undefined);
  const { url } = await listenOnFreePort(server);
  await newsletter.startDeliveries(env.SITE_URL ?? url, logLine);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await closed;
    await newsletter.close();
  };
  const stopOnce = () => (stopped ??= stop());
  onTestFinished(stopOnce);
  const place = { DATA_DIR: env.DATA_DIR, ...(env.DATABASE_URL && { DATABASE_URL: env.DATABASE_URL }) };
  return {
    url,
    env,
    newsletter,
    store,
    place,
    people: () => store.db.selectFrom('subscribers').selectAll().orderBy('normalised_email').execute(),
    deliveries: () => store.db.selectFrom('deliveries').selectAll().orderBy('queued_at').execute(),
    command: (...words) => runCommand(place, ...words),
    log,
    stop: stopOnce,
  };
}

/** Like `startNewsletter`, but with a mail server for its emails. */
export async function startWithSmtp(
  store: StoreName = 'SQLite',
  variables: Record<string, string> = {},
): Promise<{ smtp: SmtpServer; running: RunningNewsletter }> {
  const smtp = await startSmtp();
  return { smtp, running: await startNewsletter({ SMTP_URL: smtp.url, ...variables }, store) };
}

/** Repeats a check until it passes, for as long as a busy machine may take. */
export function waitUntil(check: () => unknown, interval = 20, timeout = 100_000): Promise<unknown> {
  return vi.waitFor(check, { timeout, interval });
}

/** Waits until every delivery is sent. */
export async function waitUntilSent(store: Store, timeout?: number): Promise<void> {
  await waitUntil(async () => expect(await countUnsent(store)).toEqual({ waiting: 0, failed: 0 }), 20, timeout);
}

/** Waits until a transaction in this PostgreSQL database is waiting for another's lock. */
export async function waitForLock({ db }: Store): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitUntil(async () => expect((await waiting.execute(db)).rows).toHaveLength(1));
}

/** Signs up as the form does. Each call may have another IP address, to stay below the rate limit. */
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
