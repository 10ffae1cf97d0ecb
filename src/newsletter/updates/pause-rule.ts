import type { Transaction } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '../database/schema.ts';
import { holdBack } from '../deliveries/queue/delivery-state.ts';
import { queueAlert } from '../deliveries/queue/new-delivery.ts';
import { formatPeople } from '../format.ts';
import { findRecipientProvider, listAddressPatterns } from './recipient-provider.ts';
import { pauseWithAlert } from './update-state.ts';

/**
 * Pauses an update if too many of its emails are rejected, since mail servers would otherwise stop trusting the sender.
 * If one provider rejects everything while others don't, only its people are held back, for a day.
 * @param update whose row is locked
 * @param reason of the last rejection
 * @returns lines to log
 */
export async function pauseIfRejected(
  tx: Transaction<Schema>,
  update: SentUpdate,
  reason: string,
  now: number,
): Promise<string[]> {
  const ended = await readEnded(tx, update);
  const dead = ended.filter(({ fault }) => fault === 'mailbox').length;
  if (dead >= DEAD_TO_PAUSE) {
    return pause(
      tx,
      update,
      `${dead} of the last ${ended.length} mailboxes do not exist, so the list may be old. These people are marked as undeliverable, and get no more email. If you know that everybody on the list signed up, resume the update`,
      now,
    );
  }
  const providers = [...Map.groupBy(ended, ({ provider }) => provider)].map(([name, mails]) => ({
    name,
    domains: new Intl.ListFormat('en-GB').format(new Set(mails.map(({ domain }) => domain))),
    rejected: mails.filter(isRejected).length,
    rejectsAll: mails.every((mail) => mail.state === 'failed'),
  }));
  const closed = providers.filter(({ rejected, rejectsAll }) => rejectsAll && rejected >= REJECTED_TO_PAUSE);
  const rejected = ended.filter(isRejected).length;
  const rejectedByClosed = closed.reduce((sum, provider) => sum + provider.rejected, 0);
  const isEverywhere =
    rejected - rejectedByClosed >= REJECTED_TO_PAUSE || (await isOnlyFor(tx, update, closed[0]?.name, ended));
  if (rejected >= REJECTED_TO_PAUSE && (closed.length === 0 || isEverywhere)) {
    const [only] = closed;
    const where = only?.rejected === rejected ? `, all ${rejected} at ${only.domains}` : '';
    return pause(
      tx,
      update,
      `${rejected} of the last ${ended.length} emails were rejected permanently${where}: ${reason}`,
      now,
    );
  }
  const lines: string[] = [];
  for (const { name, domains, rejected: count } of closed) {
    const held = `held back until tomorrow, since all ${count} at ${domains} were rejected: ${reason}`;
    const people = await holdBack(
      tx,
      { updateId: update.id, patterns: listAddressPatterns(name), reason: held, until: now + DAY_MS },
      now,
    );
    if (people === 0) continue;
    const text = `${update.file} is still being sent to everybody else. ${formatPeople(people)} at ${domains} must wait until tomorrow, since all ${count} emails to it were rejected: ${reason}\n\nTheir emails are then sent automatically. If those are rejected too, ask ${domains} why.\n`;
    await queueAlert(tx, { subject: `${domains} is rejecting your update`, text }, now);
    lines.push(`An update is held back for ${formatPeople(people)} at one provider: ${reason}`);
  }
  return lines;
}

const LAST_MAILS = 100;
const DEAD_TO_PAUSE = 20;
const REJECTED_TO_PAUSE = 6;
const DAY_MS = 24 * 3600_000;

type EndedMail = Pick<Delivery, 'fault' | 'state'> & { domain: string; provider: string };

function isRejected({ fault }: EndedMail): boolean {
  return fault === 'sender' || fault === 'unclear';
}

/**
 * Reads the emails that have finished since the update began or was resumed, latest first. The owner knows about the
 * earlier ones.
 */
async function readEnded(tx: Transaction<Schema>, { id, resumed_at, queued_at }: SentUpdate): Promise<EndedMail[]> {
  const ended = await tx
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select(['deliveries.fault', 'deliveries.state', 'subscribers.normalised_email as email'])
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', 'in', ['sent', 'failed'])
    .where('deliveries.finished_at', '>=', resumed_at ?? queued_at)
    .orderBy('deliveries.finished_at', 'desc')
    .limit(LAST_MAILS)
    .execute();
  return ended.map(({ email, ...mail }) => {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    return { ...mail, domain, provider: findRecipientProvider(domain) };
  });
}

/** Whether nobody at another provider has received this update or is waiting for it. */
async function isOnlyFor(
  tx: Transaction<Schema>,
  { id }: SentUpdate,
  provider: string | undefined,
  ended: EndedMail[],
): Promise<boolean> {
  if (provider === undefined || ended.some((mail) => mail.provider !== provider)) return false;
  const elsewhere = await tx
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select('deliveries.id')
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', '=', 'waiting')
    .where((person) =>
      person.and(
        listAddressPatterns(provider).map((pattern) => person('subscribers.normalised_email', 'not like', pattern)),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return elsewhere === undefined;
}

async function pause(tx: Transaction<Schema>, update: SentUpdate, reason: string, now: number): Promise<string[]> {
  // Other rejections may already have paused the update.
  const isPaused = await pauseWithAlert(tx, update, reason, now);
  return isPaused ? [`An update is paused: ${reason}`] : [];
}
