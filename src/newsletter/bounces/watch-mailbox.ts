import { ImapFlow } from 'imapflow';
import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import type { Store } from '../database/open-store.ts';
import { formatCount } from '../format.ts';
import type { NotificationSettings } from '../subscribers/notifications.ts';
import { applyReport } from './apply-report.ts';
import { clearMailboxFailure, describeMailboxError, recordMailboxFailure } from './bounce-mailbox-failure.ts';
import { listUnread, type Step } from './mailbox-progress.ts';
import {
  MAX_REPORT_BYTES,
  mayBeReport,
  readBounceReport,
  readUnsubscribeToken,
  type BounceReport,
} from './read-report.ts';

/** The mailbox, and the store of the deliveries that its reports are about. */
type WatchOptions = {
  /** BOUNCE_MAILBOX. */
  url: string;
  store: Store;
  secret: string;
  env: NotificationSettings;
  /** Takes one line, which contains no personal address. */
  log: (line: string) => void;
};

/** Reports are moved here after reading; the folder is created if it is missing. */
export const READ_FOLDER = 'Read delivery reports';

/**
 * Reads the bounce mailbox now and every five minutes.
 * @returns a function that stops it, and aborts a read in progress, since a mail server may take minutes to respond
 */
export function watchMailbox(options: WatchOptions): () => Promise<void> {
  const { log } = options;
  let mailbox: Mailbox | undefined;
  let isStopped = false;
  const stop = runEvery(EVERY_MS, async () => {
    if (isStopped) return;
    try {
      mailbox = openMailbox(options.url);
      const count = await readMailbox(options, mailbox);
      if (count > 0) log(`Bounce mailbox: ${count === 1 ? '1 report' : `${formatCount(count)} reports`} read.`);
      await clearMailboxFailure(options.store);
    } catch (error) {
      if (isStopped) return;
      const reason = describeMailboxError(error);
      log(`Bounce mailbox: could not be read (${reason}); trying again in five minutes.`);
      await recordMailboxFailure(options.store, reason, Date.now()).catch((storeError: unknown) =>
        log(`Bounce mailbox: the failure could not be recorded (${describeError(storeError)}).`),
      );
    }
  });
  return async () => {
    isStopped = true;
    mailbox?.client.close();
    await stop();
  };
}

const EVERY_MS = 5 * 60_000;

/**
 * Applies the reports that have arrived since the last time, in the folder and in the junk folder, and moves them to
 * `READ_FOLDER`. Every other message is left alone, and stays unread if it was unread: the mailbox may be the one that
 * the owner uses every day. A message that can't be read is logged, flagged and skipped.
 * @returns how many were about our deliveries
 */
export async function readMailbox(options: WatchOptions, mailbox = openMailbox(options.url)): Promise<number> {
  const { client, folder } = mailbox;
  await client.connect();
  try {
    const junk = (await client.list()).find(({ specialUse }) => specialUse === '\\Junk')?.path;
    let count = 0;
    for (const path of new Set([folder, junk ?? folder])) {
      await client.mailboxOpen(path);
      for await (const step of listUnread(client, options.store, path)) count += await readStep(client, step, options);
    }
    return count;
  } finally {
    await client.logout().catch(() => client.close());
  }
}

async function readStep(client: ImapFlow, { uids, remember }: Step, options: WatchOptions): Promise<number> {
  const candidates = await findCandidates(client, uids);
  let count = 0;
  for (const candidate of candidates) {
    const isOurs = await readMessage(client, candidate, options);
    // Before it is moved: a server that can't move messages must not block the rest.
    await remember(candidate.uid);
    if (!isOurs) continue;
    count += 1;
    await moveAway(client, candidate.uid);
  }
  return count;
}

/** A message that may be a report or an unsubscribe request; `at` is when it was written. */
type Candidate = { uid: number; token: string | undefined; at: number };

/** Looks at a few headers, to avoid reading private mail. @returns the candidates among these messages, in order */
async function findCandidates(client: ImapFlow, uids: number[]): Promise<Candidate[]> {
  const found = new Map<number, Candidate>();
  const headers = ['content-type', 'from', 'return-path', 'subject', 'date', 'x-failed-recipients'];
  const wanted = { uid: true, internalDate: true, headers };
  for await (const message of client.fetch(uids.join(','), wanted, { uid: true })) {
    const text = String(message.headers?.subarray(0, MAX_HEADER_BYTES) ?? '');
    const token = readUnsubscribeToken(text);
    if (token === undefined && !mayBeReport(text)) continue;
    found.set(message.uid, { uid: message.uid, token, at: readTime(text, message.internalDate) });
  }
  return uids.flatMap((uid) => found.get(uid) ?? []);
}

const MAX_HEADER_BYTES = 4000;

/** Moving a message may lose its arrival time, so the earlier of two times counts. Both are in whole seconds. */
function readTime(headers: string, arrived: Date | string | undefined): number {
  const written = Date.parse(/^date:(.*)$/im.exec(headers)?.[1] ?? '');
  const times = [written, new Date(arrived ?? '').getTime()].filter(Number.isFinite);
  return Math.min(Date.now(), ...times.map((time) => time + 999));
}

/** @returns whether it was about one of our deliveries */
async function readMessage(client: ImapFlow, { uid, token, at }: Candidate, options: WatchOptions): Promise<boolean> {
  const { store, secret, env, log } = options;
  let report: BounceReport | undefined;
  try {
    report =
      token === undefined ? await readBounceReport(await fetchSource(client, uid)) : { kind: 'unsubscribe', token };
  } catch (error) {
    // Without a connection, the message isn't to blame.
    if (!client.usable) throw error;
    log(`Bounce mailbox: message ${uid} could not be read (${describeError(error)}); flagged and skipped.`);
    await client.messageFlagsAdd(uid, ['\\Flagged'], { uid: true });
  }
  return report !== undefined && (await applyReport(store, report, { secret, env, now: Date.now(), at }));
}

async function fetchSource(client: ImapFlow, uid: number): Promise<Buffer> {
  const wanted = { uid: true, source: { maxLength: MAX_REPORT_BYTES } };
  const message = await client.fetchOne(uid, wanted, { uid: true });
  return (message && message.source) || Buffer.alloc(0);
}

/** Signs in to a mailbox and opens its folder. @throws an error that says why it can't be read */
export async function tryMailbox(url: string): Promise<void> {
  const { client, folder } = openMailbox(url);
  const timer = setTimeout(() => client.close(), TRY_MS);
  try {
    await client.connect();
    await client.mailboxOpen(folder);
    await client.logout();
  } catch (error) {
    client.close();
    throw new Error(describeMailboxError(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const TRY_MS = 20_000;

type Mailbox = { client: ImapFlow; folder: string };

function openMailbox(url: string): Mailbox {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
  });
  // A broken connection fails the current command. Without a listener, the error would end the process.
  client.on('error', () => undefined);
  return { client, folder: decodeURIComponent(pathname.slice(1)) || 'INBOX' };
}

async function moveAway(client: ImapFlow, uid: number): Promise<void> {
  // This fails if the folder exists.
  await client.mailboxCreate(READ_FOLDER).catch(() => undefined);
  await client.messageMove(uid, READ_FOLDER, { uid: true });
}
