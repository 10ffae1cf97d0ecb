import type { Environment } from '#settings/environment.ts';
import type { Opened } from '../open-list.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { type Audience, type AudienceQuery, countAudience } from '#newsletter/updates/audience.ts';
import { queueUpdate } from '#newsletter/updates/queue-update.ts';
import { type SendingCaps, sendingTimeMs } from '../deliveries/queue/mail-limits.ts';
import { parseSendTime, showSendTime } from '#newsletter/updates/send-time.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { formatPeople } from '../format.ts';
import { type ReadUpdate, refuseMissingPictures } from './read-update-file.ts';

/** The recipients of an update, and its time. */
export type SendingPlan = {
  audience: Audience;
  /** Undefined for now; in milliseconds since 1970. */
  sendAt: number | undefined;
  /** In words. */
  duration: string;
  remarks: string[];
  /** Why it can't be sent; undefined if it can. */
  problem: string | undefined;
};

/**
 * @param text such as `2026-12-01T09:00`. @returns milliseconds since 1970. @throws if it is no time, or has passed
 */
export function parseTimeToCome(text: string): number {
  const time = parseSendTime(text);
  if (time < Date.now()) throw new Error(`Expected a time in the future, but ${showSendTime(time)} has passed`);
  return time;
}

/** @param sendAt in milliseconds since 1970; left out for now */
export async function planSending(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  read: ReadUpdate,
  sendAt?: number,
): Promise<SendingPlan> {
  const audience = await countAudience(store.db, toQuery(read));
  return {
    audience,
    sendAt,
    duration: duration(sendingTimeMs(audience.total, readCaps(env))),
    remarks: await findRemarks(store, read, audience),
    problem: findSettingsProblem(env) ?? (audience.total === 0 ? explainNobody(read.file, audience) : undefined),
  };
}

/**
 * @returns the update's id. @throws if the list has changed, or a picture is not on the site; then nothing is queued
 */
export async function queueForSending(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  read: ReadUpdate,
  { audience, sendAt }: SendingPlan,
): Promise<string> {
  await refuseMissingPictures(read, env.SITE_URL);
  const now = Date.now();
  const { template, source, pictures } = read;
  const update = { ...toQuery(read), template, source, pictures, expected: audience.total };
  return queueUpdate(store, { ...update, caps: readCaps(env), sendAt: sendAt ?? now }, now);
}

function toQuery({ file, update: { contentHash, roles } }: ReadUpdate): AudienceQuery {
  return { file, contentHash, roles };
}

/** An update needs a mail server, and a public address for the links in its emails. */
function findSettingsProblem(env: Environment): string | undefined {
  if (env.SMTP_URL === undefined) {
    return 'There is no mail account yet: set it up under Settings on your desk; without it nobody would get the update';
  }
  if (env.SITE_URL !== undefined) return undefined;
  return 'SITE_URL: expected the public URL of the site, since each email has a link to unsubscribe there';
}

function explainNobody(file: string, { alreadySent, waiting }: Audience): string {
  if (waiting > 0) {
    const had = alreadySent > 0 ? `${formatPeople(alreadySent)} had it, ` : '';
    return `${file} is queued already: ${had}${formatPeople(waiting)} waiting.`;
  }
  return alreadySent > 0
    ? `Everybody it is for has had it (${formatPeople(alreadySent)}). A changed file is a new update.`
    : 'There is nobody to send it to: no subscriber has one of its roles.';
}

async function findRemarks(store: Store, { file, update }: ReadUpdate, audience: Audience): Promise<string[]> {
  const earlier = (await listUpdates(store.db)).find((sent) => sent.file === file);
  return [
    audience.alreadySent > 0 && `${formatPeople(audience.alreadySent)} had this file before and get nothing again.`,
    audience.waiting > 0 && `This file also waits for ${formatPeople(audience.waiting)}: nobody gets it twice.`,
    earlier !== undefined &&
      earlier.content_hash !== update.contentHash &&
      `${file} was sent before and has changed since: this is a new update.`,
  ].filter((remark) => typeof remark === 'string');
}

/** The limits of the mail provider, as the owner has set them. */
export function readCaps(env: Pick<Environment, 'MAIL_HOURLY_CAP' | 'MAIL_DAILY_CAP'>): SendingCaps {
  return { hourlyCap: env.MAIL_HOURLY_CAP, dailyCap: env.MAIL_DAILY_CAP };
}

export function duration(milliseconds: number): string {
  const hours = milliseconds / 3600_000;
  if (hours <= 1) return 'less than an hour';
  return hours < 48 ? `about ${Math.ceil(hours)} hours` : `about ${Math.ceil(hours / 24)} days`;
}
