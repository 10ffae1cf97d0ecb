import { createInterface } from 'node:readline/promises';
import type { Agency } from '#shared/content-schema.ts';
import type { Environment } from '#shared/environment.ts';
import { type Answer, print, write } from '../command/print.ts';
import { withStore } from '../command/with-store.ts';
import type { Store } from '#store/open-store.ts';
import { type Audience, countAudience } from '#mail/updates/audience.ts';
import { queueUpdate } from '#mail/updates/queue-update.ts';
import { type SendingCaps, sendingTimeMs } from '#mail/updates/sending-time.ts';
import { parseSendTime, showSendTime } from '#mail/updates/send-time.ts';
import { listUpdates } from '#mail/updates/update-states.ts';
import { type ReadUpdate, readUpdateFile, refuseMissingPictures, type UpdatePlaces } from './read-update-file.ts';

export type SendOptions = Answer & { at?: string; timeZone?: string; yes?: number };

/** Shows what would go to how many, asks for that number, and queues the update. */
export async function send(file: string, options: SendOptions, places: UpdatePlaces, agency: Agency): Promise<void> {
  const read = await readUpdateFile(file, places, agency);
  const sendAt = options.at === undefined ? undefined : parseSendTime(options.at, options.timeZone);
  if (sendAt !== undefined && sendAt < Date.now()) {
    throw new Error(`--at: expected a time to come, but ${showSendTime(sendAt, options.timeZone)} has passed`);
  }
  await withStore(async ({ env, store }) => {
    refuseWithoutAddress(env);
    if (env.SITE_URL !== undefined) await refuseMissingPictures(read, env.SITE_URL);
    const query = { file: read.file, contentHash: read.update.contentHash, roles: read.update.roles };
    const audience = await countAudience(store.db, query);
    if (audience.total === 0) throw new Error(nobodyLeft(read.file, audience));
    if (!options.json) write(await summary(store, read, audience, { env, sendAt, zone: options.timeZone }));
    await confirm(audience.total, options.yes);
    const now = Date.now();
    const update = { ...query, template: read.template, expected: audience.total, caps: capsOf(env) };
    const id = await queueUpdate(store, { ...update, sendAt: sendAt ?? now }, now);
    if (options.json) return print({ id, recipients: audience.total });
    write(`Queued for ${people(audience.total)}. The running server sends it; to follow: npm run updates -- status\n`);
  });
}

/** Mail that reaches people must lead to a page that they can open. */
function refuseWithoutAddress(env: Environment): void {
  if (env.SMTP_URL === undefined) {
    throw new Error('SMTP_URL: expected the address of your mail server; without it nobody would get the update');
  }
  if (env.SITE_URL !== undefined) return;
  throw new Error('SITE_URL: expected the public address of the site, since each mail has a link to unsubscribe there');
}

function nobodyLeft(file: string, { alreadySent, waiting }: Audience): string {
  if (waiting > 0) {
    const had = alreadySent > 0 ? `${people(alreadySent)} had it, ` : '';
    return `${file} is queued already: ${had}${people(waiting)} waiting. To follow: npm run updates -- status ${file}`;
  }
  return alreadySent > 0
    ? `Everybody it is for has had it (${people(alreadySent)}). A changed file is a new update.`
    : 'There is nobody to send it to: no subscriber has one of its roles.';
}

async function summary(
  store: Store,
  { file, update, template }: ReadUpdate,
  audience: Audience,
  { env, sendAt, zone }: { env: Environment; sendAt: number | undefined; zone: string | undefined },
): Promise<string> {
  const byRole = audience.byRole.map(({ role, count }) => `${count} ${role || 'who gave no role'}`).join(', ');
  const earlier = (await listUpdates(store.db)).find((sent) => sent.file === file);
  const remarks = [
    audience.alreadySent > 0 && `${people(audience.alreadySent)} had this file before and get nothing again.`,
    audience.waiting > 0 && `This file also waits for ${people(audience.waiting)}: nobody gets it twice.`,
    earlier !== undefined &&
      earlier.content_hash !== update.contentHash &&
      `${file} was sent before and has changed since: this is a new update.`,
    kilobytes(template.html) > GMAIL_CUTS_KB && `Its HTML has ${kilobytes(template.html)} kB; Gmail cuts at 100 kB.`,
  ].filter((remark) => typeof remark === 'string');
  return `${[
    `Subject  ${template.subject}`,
    `Preview  ${update.preview}`,
    `To       ${people(audience.total)}: ${byRole}`,
    `Begins   ${sendAt === undefined ? 'now' : showSendTime(sendAt, zone)}`,
    `Takes    ${duration(sendingTimeMs(audience.total, capsOf(env)))} at MAIL_HOURLY_CAP=${env.MAIL_HOURLY_CAP}${env.MAIL_DAILY_CAP === undefined ? '' : ` and MAIL_DAILY_CAP=${env.MAIL_DAILY_CAP}`}`,
    ...remarks,
  ].join('\n')}\n`;
}

async function confirm(total: number, given: number | undefined): Promise<void> {
  if (given !== undefined) {
    if (given === total) return;
    throw new Error(`--yes: expected ${total}, the number of people who would get it, but found ${given}`);
  }
  if (!process.stdin.isTTY) throw new Error(`Nothing was queued. To confirm without a terminal: --yes ${total}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('To send it, type the number of people: ');
  terminal.close();
  if (answer.trim() !== String(total)) throw new Error('That is another number. Nothing was queued.');
}

export function people(count: number): string {
  return count === 1 ? '1 subscriber' : `${count} subscribers`;
}

const GMAIL_CUTS_KB = 100;

export function kilobytes(html: string): number {
  return Math.ceil(Buffer.byteLength(html) / 1024);
}

/** The limits of the mail provider, as the owner has set them. */
export function capsOf(env: Pick<Environment, 'MAIL_HOURLY_CAP' | 'MAIL_DAILY_CAP'>): SendingCaps {
  return { hourlyCap: env.MAIL_HOURLY_CAP, dailyCap: env.MAIL_DAILY_CAP };
}

export function duration(milliseconds: number): string {
  const hours = milliseconds / 3600_000;
  if (hours <= 1) return 'less than an hour';
  return hours < 48 ? `about ${Math.ceil(hours)} hours` : `about ${Math.ceil(hours / 24)} days`;
}
