import type { Environment } from '#settings/environment.ts';
import type { Opened } from '../open-list.ts';
import { type Audience, type AudienceQuery, countAudience } from './audience.ts';
import { findScheduled, queueUpdate, replaceScheduled, type ScheduledUpdate } from './queue-update.ts';
import { describeAccountLimit } from './account-limits.ts';
import { type SendingCaps, estimateSendingMs } from '../deliveries/queue/mail-limits.ts';
import { parseSendTime } from './send-time.ts';
import { describeDay, formatClock, formatMoment, formatPeople } from '../format.ts';
import { type ReadUpdate, rejectMissingPictures } from './read-update-file.ts';

/** Who gets an update, and when. */
export type SendingPlan = {
  audience: Audience;
  /** Set if this update is already scheduled, with this text or an earlier one. */
  scheduled: ScheduledUpdate | undefined;
  /** Whether people who received an earlier version get this one too. */
  again: boolean;
  /** In milliseconds since 1970; undefined to send it now. */
  sendAt: number | undefined;
  remarks: string[];
  /** Why it can't be sent; undefined if it can be. */
  problem: string | undefined;
};

/**
 * @param text such as `2026-12-01T09:00`. @returns milliseconds since 1970. @throws if it isn't a time, or has passed
 */
export function parseFutureTime(text: string): number {
  const time = parseSendTime(text);
  if (time < Date.now()) throw new Error(`Expected a time in the future, but ${formatMoment(time)} has passed`);
  return time;
}

/**
 * Plans who gets an update, and when, and finds reasons why it can't be sent.
 * @param options.sendAt in milliseconds since 1970; omit it to send now
 * @param options.again whether people who received an earlier version get this one too
 */
export async function planSending(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  read: ReadUpdate,
  { sendAt, again = false }: { sendAt?: number | undefined; again?: boolean | undefined } = {},
): Promise<SendingPlan> {
  const query = toQuery(read, again);
  const audience = await countAudience(store.db, query);
  const scheduled = await findScheduled(store.db, query);
  return {
    audience,
    scheduled,
    again,
    sendAt,
    remarks: findRemarks(audience, env),
    problem:
      findSettingsProblem(env) ??
      describeScheduled(scheduled) ??
      (audience.total === 0 && audience.hadEarlier === 0 ? explainNobody(read, audience) : undefined),
  };
}

/**
 * Queues an update for the people that the plan counted.
 * @returns the update's id
 * @throws if the list has changed, or a picture isn't on the site, in which case nothing is queued
 */
export async function queueForSending(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  read: ReadUpdate,
  { audience, sendAt, again }: SendingPlan,
): Promise<string> {
  if (audience.total === 0) throw new Error(explainNobody(read, audience));
  await rejectMissingPictures(read, env.SITE_URL);
  const now = Date.now();
  const update = toUpdate(read, toQuery(read, again), audience.total);
  return queueUpdate(store, { ...update, caps: readCaps(env), sendAt: sendAt ?? now }, now);
}

/**
 * Replaces the scheduled version with this one, which goes out at the same time; if it is paused, so is this one.
 * @throws if none is scheduled any more, or a picture isn't on the site
 */
export async function sendInstead(
  { env, store }: Pick<Opened, 'env' | 'store'>,
  read: ReadUpdate,
): Promise<ScheduledUpdate> {
  await rejectMissingPictures(read, env.SITE_URL);
  const query = toQuery(read, false);
  const scheduled = await findScheduled(store.db, query);
  const { total } = await countAudience(store.db, { ...query, again: scheduled?.again ?? false });
  const update = toUpdate(read, query, total);
  if (scheduled === undefined || !(await replaceScheduled(store, scheduled.id, update))) {
    throw new Error('The earlier version is no longer scheduled: it is going out or has ended. Nothing was changed.');
  }
  return scheduled;
}

/** Describes what `sendInstead` has done. */
export function describeReplacement(isPaused: boolean): string {
  return isPaused
    ? 'this version has replaced the earlier one, and is paused until you resume it.'
    : 'this version will go out instead of the earlier one.';
}

function toQuery({ file, update: { textHash, roles } }: ReadUpdate, again: boolean): AudienceQuery {
  return { file, textHash, roles, again };
}

function toUpdate({ template, source, pictures }: ReadUpdate, query: AudienceQuery, expected: number) {
  return { ...query, template, source, pictures, expected };
}

function describeScheduled(scheduled: ScheduledUpdate | undefined): string | undefined {
  if (scheduled === undefined) return undefined;
  const { isSame, isPaused, sendAt } = scheduled;
  const what = isSame ? 'It' : 'The earlier version';
  const when = `${describeDay(sendAt)} at ${formatClock(sendAt)}`;
  return isPaused ? `${what} was to go out ${when}, but is paused.` : `${what} goes out ${when}.`;
}

/** An update needs a mail server, and a public address for the links in its emails. */
function findSettingsProblem(env: Environment): string | undefined {
  if (env.SMTP_URL === undefined) {
    return 'There is no mail account yet. Set one up under Settings on your desk: without it, nobody would get the update.';
  }
  if (env.SITE_URL !== undefined) return undefined;
  return 'The site’s public address (SITE_URL) is not set, and each email needs a link to unsubscribe there. Ask whoever looks after the server to set it.';
}

function explainNobody(
  { file, update: { roles } }: ReadUpdate,
  { alreadySent, hadEarlier, waiting }: Audience,
): string {
  if (waiting > 0) {
    const had = alreadySent > 0 ? `sent to ${formatPeople(alreadySent)}, ` : '';
    return `${file} is already queued: ${had}waiting to go to ${formatPeople(waiting)}.`;
  }
  if (hadEarlier > 0) return `Everybody it is for got an earlier version of it (${formatPeople(hadEarlier)}).`;
  if (alreadySent > 0) return `Everybody it is for has already got it (${formatPeople(alreadySent)}).`;
  return `There is nobody to send it to${roles === undefined ? '' : ': no subscriber has one of its roles'}.`;
}

function findRemarks({ alreadySent, hadEarlier, waiting, total }: Audience, env: Environment): string[] {
  return [
    alreadySent > 0 && `${formatPeople(alreadySent)} already got this and won’t get it again.`,
    hadEarlier > 0 && `${formatPeople(hadEarlier)} got an earlier version of it.`,
    waiting > 0 && `It is already waiting to go to ${formatPeople(waiting)}: nobody will get it twice.`,
    describeAccountLimit(env, total),
  ].filter((remark) => typeof remark === 'string');
}

/** The mail provider's limits, as the owner has set them. */
export function readCaps(env: Pick<Environment, 'MAIL_HOURLY_CAP' | 'MAIL_DAILY_CAP'>): SendingCaps {
  return { hourlyCap: env.MAIL_HOURLY_CAP, dailyCap: env.MAIL_DAILY_CAP };
}

/** @returns how long it takes to send an update to so many people, such as `about 3 hours` */
export function describeSendingTime(recipients: number, caps: SendingCaps): string {
  const hours = estimateSendingMs(recipients, caps) / 3600_000;
  if (hours <= 1) return 'less than an hour';
  return hours < 48 ? `about ${Math.ceil(hours)} hours` : `about ${Math.ceil(hours / 24)} days`;
}
