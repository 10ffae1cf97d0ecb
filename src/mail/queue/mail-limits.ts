import type { Transaction } from 'kysely';
import { iso } from '#store/iso-time.ts';
import { readMetadata, writeMetadata } from '#store/metadata.ts';
import { queueAlert } from '#store/new-delivery.ts';
import type { DeliveryKind, Schema } from '#store/schema.ts';
import { countForUpdates, type SendingCaps } from '../updates/sending-time.ts';
import { latestCredible } from './future-times.ts';

export type MailCaps = SendingCaps & {
  /** By which mailboxes are known in the sent log. */
  secret: string;
};

export type MailLimits = {
  /** Whether mails of this kind wait for a place. */
  isFull: (kind: DeliveryKind) => boolean;
  /** Whether somebody fills in strangers' addresses: sign-ups' mails wait though there are places. */
  isFlooded: boolean;
};

/**
 * Counts the mails of the last hour, and of the last day where there is a cap for it. Updates leave a fifth of each hour
 * to mails that answer a person or warn the owner; mails that answer a sign-up get a third.
 * @param now milliseconds since 1970
 */
export async function readLimits(
  tx: Transaction<Schema>,
  { hourlyCap, dailyCap }: MailCaps,
  now: number,
): Promise<MailLimits> {
  const hour = await countSince(tx, now - HOUR_MS, now);
  const isDayFull = dailyCap !== undefined && sum(await countSince(tx, now - DAY_MS, now)) >= dailyCap;
  const isFull = isDayFull || sum(hour) >= hourlyCap;
  const areUpdatesFull = (hour.get('update') ?? 0) >= countForUpdates(hourlyCap);
  const signUpMails = ANSWERS_TO_SIGN_UPS.reduce((total, kind) => total + (hour.get(kind) ?? 0), 0);
  // With a small cap a few sign-ups are no flood.
  const isFlooded = !isFull && signUpMails >= Math.max(MIN_SIGN_UP_MAILS, Math.floor(hourlyCap / 3));
  return {
    isFull: (kind) =>
      isFull || (kind === 'update' && areUpdatesFull) || (isFlooded && ANSWERS_TO_SIGN_UPS.includes(kind)),
    isFlooded,
  };
}

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const ANSWERS_TO_SIGN_UPS: DeliveryKind[] = ['welcome', 'confirmation'];
const MIN_SIGN_UP_MAILS = 3;

async function countSince(tx: Transaction<Schema>, since: number, now: number): Promise<Map<DeliveryKind, number>> {
  const rows = await tx
    .selectFrom('sent_mails')
    .select((select) => ['kind', select.fn.countAll<number | string>().as('count')])
    .where('taken_at', '>', iso(since))
    .where('taken_at', '<', latestCredible(now))
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
}

function sum(counts: Map<DeliveryKind, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/** Warns the owner, once a day at most, that somebody fills in strangers' addresses. */
export async function alertOfFlood(tx: Transaction<Schema>, now: number): Promise<void> {
  const last = await readMetadata(tx, FLOOD);
  if (last !== undefined && Math.abs(now - Date.parse(last)) < DAY_MS) return;
  await writeMetadata(tx, FLOOD, iso(now));
  await queueAlert(tx, { subject: 'Unusually many sign-ups', text: FLOOD_TEXT }, now);
}

const FLOOD = 'flood-of-sign-ups';
const FLOOD_TEXT = `More than a third of an hour’s mails (MAIL_HOURLY_CAP) answer sign-ups. Somebody may be filling in addresses of others. The rest of these mails wait and go out in the next hours.

To see who signed up: npm run subscribers -- list
`;
