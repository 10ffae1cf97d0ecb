import { createInterface } from 'node:readline/promises';
import type { Environment } from '#settings/environment.ts';
import { answer, type Answer, write } from '../print.ts';
import type { Opened } from '../with-store.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { type Audience, type AudienceQuery, countAudience } from '#newsletter/updates/audience.ts';
import { queueUpdate } from '#newsletter/updates/queue-update.ts';
import { type SendingCaps, sendingTimeMs } from '#newsletter/deliveries/mail-limits.ts';
import { parseSendTime, showSendTime } from '#newsletter/updates/send-time.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { formatPeople } from '../format.ts';
import { type ReadUpdate, readUpdateFile, refuseMissingPictures, type UpdateFolders } from './read-update-file.ts';

/** `at` is in milliseconds since 1970. */
export type SendOptions = Answer & { at?: number; yes?: string };

/** Shows what would go to how many, asks for that number, and queues the update. */
export async function send(opened: Opened, file: string, options: SendOptions, folders: UpdateFolders): Promise<void> {
  const read = await readUpdateFile(file, folders);
  const plan = await planSending(opened, read, options.at);
  if (plan.problem !== undefined) throw new Error(plan.problem);
  const { total } = plan.audience;
  if (!options.json) write(describePlan(read, plan, opened.env));
  await confirm(total, options.yes);
  const id = await queueForSending(opened, read, plan);
  const message = `Queued for ${formatPeople(total)}. The running server sends it; to follow: npm run updates -- status\n`;
  answer(options, { id, recipients: total, warnings: read.warnings }, message);
}

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
  const update = { ...toQuery(read), template: read.template, expected: audience.total };
  return queueUpdate(store, { ...update, caps: readCaps(env), sendAt: sendAt ?? now }, now);
}

function toQuery({ file, update: { contentHash, roles } }: ReadUpdate): AudienceQuery {
  return { file, contentHash, roles };
}

/** An update needs a mail server, and a public address for the links in its emails. */
function findSettingsProblem(env: Environment): string | undefined {
  if (env.SMTP_URL === undefined) {
    return 'SMTP_URL: expected the address of your mail server; without it nobody would get the update';
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

function describePlan({ update, template, warnings }: ReadUpdate, plan: SendingPlan, env: Environment): string {
  const { audience, sendAt } = plan;
  const byRole = audience.byRole.map(({ role, count }) => `${count} ${role || 'who gave no role'}`).join(', ');
  return `${[
    `Subject  ${template.subject}`,
    `Preview  ${update.preview}`,
    `To       ${formatPeople(audience.total)}: ${byRole}`,
    `Begins   ${sendAt === undefined ? 'now' : showSendTime(sendAt)}`,
    `Takes    ${plan.duration} at MAIL_HOURLY_CAP=${env.MAIL_HOURLY_CAP}${env.MAIL_DAILY_CAP === undefined ? '' : ` and MAIL_DAILY_CAP=${env.MAIL_DAILY_CAP}`}`,
    ...plan.remarks,
    ...warnings,
  ].join('\n')}\n`;
}

async function confirm(total: number, given: string | undefined): Promise<void> {
  if (given !== undefined) {
    if (given === String(total)) return;
    throw new Error(`--yes: expected ${total}, the number of people who would get it, but found ${given}`);
  }
  if (!process.stdin.isTTY) throw new Error(`Nothing was queued. To confirm without a terminal: --yes ${total}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await terminal.question('To send it, type the number of people: ');
  terminal.close();
  if (typed.trim() !== String(total)) throw new Error('That is another number. Nothing was queued.');
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
