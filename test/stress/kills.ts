import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { integer, record, sample } from 'fast-check';
import { NEWSLETTER_PATH } from '#shared/newsletter.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { type MailCounter, startMailCounter } from './mail-counter.ts';

export type KillFigures = {
  kills: number;
  acknowledged: number;
  /** Acknowledged sign-ups that the list does not have. */
  lost: number;
  mails: number;
  /** Mails that arrived more than once for one sign-up, and how many a kill between acceptance and commit explains. */
  repeated: number;
  explained: number;
  /** People with more repeated mails than such kills. */
  unexplained: string[];
  /** People on the list whose welcome mail never arrived. */
  unmailed: number;
};

/**
 * Kills a server (`kill -9`) again and again while sign-ups and mails are in flight, then lets it finish its work.
 * @param options.build the folder of a built site
 * @param options.seed the same seed kills after as many sign-ups and as long a pause
 * @param options.onProgress called after each kill with how many there were
 */
export async function runKills(options: {
  build: string;
  kills: number;
  seed: number;
  onProgress?: (kills: number) => void;
}): Promise<KillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'stress-kills-'));
  const smtp = await startMailCounter();
  const variables = {
    DATA_DIR: folder,
    SMTP_URL: smtp.url,
    MAIL_HOURLY_CAP: '1000000',
    TRUSTED_PROXY_HEADER: 'X-Client',
  };
  const acknowledged: string[] = [];
  const explained = new Map<string, number>();
  try {
    for (const [index, moment] of sample(MOMENTS, { seed: options.seed, numRuns: options.kills }).entries()) {
      const before = new Map(smtp.arrivals);
      const server = await startServer(options.build, variables);
      acknowledged.push(...(await killAmidSignUps(server, moment)));
      await smtp.isRead();
      for (const id of acceptedButNotRecorded(folder, smtp, before)) explained.set(id, (explained.get(id) ?? 0) + 1);
      options.onProgress?.(index + 1);
    }
    await finishWork(options.build, variables, folder);
    return countFigures(folder, smtp, { kills: options.kills, acknowledged, explained });
  } finally {
    await smtp.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * When a server is killed: after so many acknowledged sign-ups, and so many milliseconds of the sending that follows.
 */
const MOMENTS = record({ signUps: integer({ min: 1, max: 30 }), pauseMs: integer({ min: 0, max: 60 }) });
type Moment = { signUps: number; pauseMs: number };

const CONNECTIONS = 8;

/** @returns the addresses whose sign-up was acknowledged before the kill */
async function killAmidSignUps(server: ServerProcess, { signUps, pauseMs }: Moment): Promise<string[]> {
  const acknowledged: string[] = [];
  const enough = Promise.withResolvers<void>();
  const connection = async () => {
    for (;;) {
      const person = nextPerson();
      try {
        const answer = await signUp(server.url, person);
        await answer.text();
        if (answer.status === 200) acknowledged.push(person.email);
      } catch {
        // Killed while it was answering: nothing was promised.
        return;
      }
      if (acknowledged.length >= signUps) enough.resolve();
    }
  };
  const connections = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  await enough.promise;
  await pause(pauseMs);
  await server.kill();
  await connections;
  return acknowledged;
}

let people = 0;

function nextPerson(): { email: string; client: string } {
  people += 1;
  return {
    email: `person${people}@example.org`,
    client: `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`,
  };
}

function signUp(url: string, { email, client }: { email: string; client: string }): Promise<Response> {
  return fetch(url + NEWSLETTER_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Client': client },
    body: JSON.stringify({ email, name: '', role: '', source: 'Footer' }),
  });
}

/** Mails that arrived since, and whose delivery the killed server had not yet recorded as sent. */
function acceptedButNotRecorded(folder: string, smtp: MailCounter, before: Map<string, number>): string[] {
  const underWay = query(folder, `select id from deliveries where kind = 'welcome' and state = 'sending'`);
  return underWay.map(({ id }) => String(id)).filter((id) => (smtp.arrivals.get(id) ?? 0) > (before.get(id) ?? 0));
}

/** A last server sends what is left, also what was interrupted too often. */
async function finishWork(build: string, variables: Record<string, string>, folder: string): Promise<void> {
  const server = await startServer(build, variables);
  const retry = spawnSync(process.execPath, [join(build, 'server/subscribers.js'), 'retry', 'all'], {
    env: { PATH: process.env.PATH, ...variables },
    encoding: 'utf8',
  });
  if (retry.status !== 0 && !/nothing/i.test(retry.stderr)) throw new Error(`subscribers retry all: ${retry.stderr}`);
  const isUnfinished = `select count(*) as count from deliveries where state in ('waiting', 'sending', 'failed')`;
  while (Number(query(folder, isUnfinished)[0]?.count) > 0) await pause(100);
  await server.stop();
}

function countFigures(
  folder: string,
  smtp: MailCounter,
  run: { kills: number; acknowledged: string[]; explained: Map<string, number> },
): KillFigures {
  const [integrity] = query(folder, 'pragma integrity_check');
  if (integrity?.integrity_check !== 'ok') throw new Error('The database is damaged');
  const stored = new Set(query(folder, 'select address from subscribers').map(({ address }) => String(address)));
  const deliveries = query(folder, `select id from deliveries where kind = 'welcome'`).map(({ id }) => String(id));
  const repeated = deliveries.map((id) => ({
    id,
    often: Math.max(0, (smtp.arrivals.get(id) ?? 0) - 1),
    explained: run.explained.get(id) ?? 0,
  }));
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
  return {
    kills: run.kills,
    acknowledged: run.acknowledged.length,
    lost: run.acknowledged.filter((address) => !stored.has(address)).length,
    mails: sum(smtp.arrivals.values()),
    repeated: sum(repeated.map(({ often }) => often)),
    explained: sum(run.explained.values()),
    unexplained: repeated.filter((delivery) => delivery.often > delivery.explained).map(({ id }) => id),
    unmailed: stored.size - deliveries.filter((id) => smtp.arrivals.has(id)).length,
  };
}

function query(folder: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'sign-ups.db'), { readOnly: true, timeout: 5000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
