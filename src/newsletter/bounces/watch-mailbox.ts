import { ImapFlow } from 'imapflow';
import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { NotificationSettings } from '../subscribers/notifications.ts';
import { applyReport } from './apply-report.ts';
import { clearMailboxFailure, describeMailboxError, recordMailboxFailure } from './mailbox-failure.ts';
import { MAX_REPORT_BYTES, mayBeReport, readReport, readUnsubscribeToken, type Report } from './read-report.ts';

/** The mailbox, and the store of the deliveries that its reports are about. */
type WatchOptions = {
  /** BOUNCE_MAILBOX. */
  url: string;
  store: Store;
  secret: string;
  env: NotificationSettings;
  /** Takes one line without any address of a person. */
  log: (line: string) => void;
};

/** Reports that were read are moved here; the folder is created if it is missing. */
export const READ_FOLDER = 'Read delivery reports';

/**
 * Reads the bounce mailbox now and every five minutes.
 * @returns stops it, and aborts the reading in progress: a mail server may take minutes to answer
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
      if (count > 0) log(`Bounce mailbox: ${count} reports read.`);
      await clearMailboxFailure(options.store);
    } catch (error) {
      if (isStopped) return;
      const reason = describeMailboxError(error);
      log(`Bounce mailbox: it could not be read (${reason}); tried again in five minutes.`);
      await recordMailboxFailure(options.store, reason, Date.now()).catch((storeError: unknown) =>
        log(`Bounce mailbox: the failure was not recorded (${describeError(storeError)}).`),
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
 * Applies the reports that arrived since the last time, and moves them to `READ_FOLDER`. Every other mail stays as it
 * is, unread if it was unread: the mailbox may be the owner's own. A message that can't be read is logged, flagged and
 * skipped.
 * @returns how many were about deliveries of ours
 */
export async function readMailbox(options: WatchOptions, mailbox = openMailbox(options.url)): Promise<number> {
  const { client, folder } = mailbox;
  await client.connect();
  try {
    const validity = String((await client.mailboxOpen(folder)).uidValidity);
    const candidates = await findCandidates(client, await lastSeen(options.store, validity));
    let count = 0;
    for (const candidate of candidates.messages) {
      const isOurs = await readMessage(client, candidate, options);
      // Before it is moved: a server that can't move must not block the rest.
      await rememberSeen(options.store, validity, candidate.uid);
      if (!isOurs) continue;
      count += 1;
      await moveAway(client, candidate.uid);
    }
    await rememberSeen(options.store, validity, candidates.last);
    return count;
  } finally {
    await client.logout().catch(() => client.close());
  }
}

/** A mail that may be a report, or ask to be unsubscribed. */
type Candidate = { uid: number; token: string | undefined };

/** Looks at a few headers of what is new, to avoid reading private mail. */
async function findCandidates(client: ImapFlow, seen: number): Promise<{ messages: Candidate[]; last: number }> {
  const messages: Candidate[] = [];
  let last = seen;
  const wanted = { uid: true, headers: ['content-type', 'from', 'subject', 'x-failed-recipients'] };
  for await (const message of client.fetch(`${seen + 1}:*`, wanted, { uid: true })) {
    // `*` is the last message, even when it is an old one.
    if (message.uid <= seen) continue;
    last = Math.max(last, message.uid);
    const headers = String(message.headers?.subarray(0, MAX_HEADER_BYTES) ?? '');
    const token = readUnsubscribeToken(headers);
    if (token !== undefined || mayBeReport(headers)) messages.push({ uid: message.uid, token });
  }
  return { messages, last };
}

const MAX_HEADER_BYTES = 4000;

/** @returns whether it was about a delivery of ours */
async function readMessage(client: ImapFlow, { uid, token }: Candidate, options: WatchOptions): Promise<boolean> {
  const { store, secret, env, log } = options;
  let report: Report | undefined;
  try {
    report = token === undefined ? await readReport(await fetchSource(client, uid)) : { kind: 'unsubscribe', token };
  } catch (error) {
    // Without a connection, the message isn't to blame.
    if (!client.usable) throw error;
    log(`Bounce mailbox: message ${uid} cannot be read (${describeError(error)}); it is flagged and skipped.`);
    await client.messageFlagsAdd(uid, ['\\Flagged'], { uid: true });
  }
  return report !== undefined && (await applyReport(store, report, { secret, env, now: Date.now() }));
}

async function fetchSource(client: ImapFlow, uid: number): Promise<Buffer> {
  const wanted = { uid: true, source: { maxLength: MAX_REPORT_BYTES } };
  const message = await client.fetchOne(uid, wanted, { uid: true });
  return (message && message.source) || Buffer.alloc(0);
}

/** Signs in to a mailbox and opens its folder. @throws saying why it can't be read */
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
  // A broken connection fails the current command. Without a listener it would end the process.
  client.on('error', () => undefined);
  return { client, folder: decodeURIComponent(pathname.slice(1)) || 'INBOX' };
}

async function moveAway(client: ImapFlow, uid: number): Promise<void> {
  // Fails if it exists.
  await client.mailboxCreate(READ_FOLDER).catch(() => undefined);
  await client.messageMove(uid, READ_FOLDER, { uid: true });
}

const SEEN = 'bounce-mailbox-seen';

/** @returns the number of the last mail looked at, or 0 if the server has renumbered its mails */
async function lastSeen({ db }: Store, validity: string): Promise<number> {
  const [known, uid] = (await readMetadata(db, SEEN))?.split(':') ?? [];
  return known === validity ? Number(uid) : 0;
}

function rememberSeen(store: Store, validity: string, uid: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, SEEN, `${validity}:${uid}`));
}
