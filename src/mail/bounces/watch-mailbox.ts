import { createHash } from 'node:crypto';
import { ImapFlow, type FetchMessageObject } from 'imapflow';
import { describeError } from '#shared/describe-error.ts';
import type { Store } from '#store/open-store.ts';
import type { FollowUps } from '#list/follow-ups.ts';
import { applyReport } from './apply-report.ts';
import { readReport, UNSUBSCRIBE_SUBJECT } from './read-report.ts';

/** The mailbox, and whose deliveries its reports are about. */
export type BounceMailbox = { url: string; store: Store; secret: string; followUps: FollowUps };

/** Where reports go that have been read; the folder is made when it is missing. */
export const READ_FOLDER = 'Read delivery reports';

/**
 * Reads the bounce mailbox now and every five minutes.
 * @param options.url BOUNCE_MAILBOX
 * @param options.log takes one line without any address of a person
 * @returns ends it, and waits for what is under way
 */
export function watchMailbox(options: BounceMailbox & { log: (line: string) => void }): () => Promise<void> {
  const { log } = options;
  const read = async () => {
    try {
      const count = await readMailbox(options);
      if (count > 0) log(`Bounce mailbox: ${count} reports read.`);
    } catch (error) {
      log(`Bounce mailbox: it could not be read (${describeError(error)}); tried again in five minutes.`);
    }
  };
  let underWay = read();
  const timer = setInterval(() => {
    underWay = underWay.then(read);
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

const EVERY_MS = 5 * 60_000;

/**
 * Applies the reports that have come since the last time, and moves them to `READ_FOLDER`. Every other mail stays as it
 * is, unread if it was unread: the mailbox may be the owner's own.
 * @returns how many were about deliveries of ours
 */
export async function readMailbox({ url, store, secret, followUps }: BounceMailbox): Promise<number> {
  const { client, folder } = mailboxAt(url);
  await client.connect();
  try {
    const lock = await client.getMailboxLock(folder);
    try {
      const validity = String(client.mailbox && client.mailbox.uidValidity);
      const seen = await lastSeen(store, validity);
      const candidates = await findCandidates(client, seen);
      const read: number[] = [];
      for (const { uid } of candidates.messages) {
        const message = await client.fetchOne(uid, { source: { maxLength: MAX_BYTES } }, { uid: true });
        if (!message || !message.source) continue;
        const report = await readReport(message.source);
        const reportId = createHash('sha256').update(message.source).digest('hex');
        if (report && (await applyReport(store, report, { reportId, secret, followUps, now: Date.now() })))
          read.push(uid);
      }
      if (read.length > 0) await moveAway(client, read);
      await rememberSeen(store, validity, candidates.last);
      return read.length;
    } finally {
      lock.release();
    }
  } finally {
    await client.logout().catch(() => client.close());
  }
}

/** A report quotes a mail of ours, which is far smaller. */
const MAX_BYTES = 1_000_000;

function mailboxAt(url: string): { client: ImapFlow; folder: string } {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
  });
  // A connection that breaks fails the command under way; without a listener it would end the process.
  client.on('error', () => undefined);
  return { client, folder: decodeURIComponent(pathname.slice(1)) || 'INBOX' };
}

/** Only the structure of what is new is looked at, so that nobody's letters are read. */
async function findCandidates(
  client: ImapFlow,
  seen: number,
): Promise<{ messages: FetchMessageObject[]; last: number }> {
  const messages: FetchMessageObject[] = [];
  let last = seen;
  const wanted = { uid: true, bodyStructure: true, envelope: true } as const;
  for await (const message of client.fetch(`${seen + 1}:*`, wanted, { uid: true })) {
    // `*` is the last message, even when it is an old one.
    if (message.uid <= seen) continue;
    last = Math.max(last, message.uid);
    const isReport = message.bodyStructure?.type === 'multipart/report';
    if (isReport || UNSUBSCRIBE_SUBJECT.test(message.envelope?.subject ?? '')) messages.push(message);
  }
  return { messages, last };
}

async function moveAway(client: ImapFlow, uids: number[]): Promise<void> {
  const folders = await client.list();
  if (!folders.some(({ path }) => path === READ_FOLDER)) await client.mailboxCreate(READ_FOLDER);
  await client.messageMove(uids, READ_FOLDER, { uid: true });
}

const SEEN = 'bounce-mailbox-seen';

/** @returns the number of the last mail looked at, or 0 where the server has begun to count anew */
async function lastSeen({ db }: Store, validity: string): Promise<number> {
  const row = await db.selectFrom('metadata').select('value').where('name', '=', SEEN).executeTakeFirst();
  const [known, uid] = row?.value.split(':') ?? [];
  return known === validity ? Number(uid) : 0;
}

async function rememberSeen({ db }: Store, validity: string, uid: number): Promise<void> {
  const value = `${validity}:${uid}`;
  await db
    .insertInto('metadata')
    .values({ name: SEEN, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
