import type { Environment } from '#settings/environment.ts';
import { readMetadata } from '../database/metadata.ts';
import { BACKUP_FAILURE, readLastBackup } from '../backup/last-backup.ts';
import type { Store } from '../database/open-store.ts';
import { ADVICE, readMailboxFailure } from '../bounces/bounce-mailbox-failure.ts';
import { listUnmatched } from '../bounces/unmatched-reports.ts';
import { readOutage } from '../deliveries/smtp/mail-outage.ts';
import { readSheetEnd } from '../deliveries/sheet-end.ts';
import { readFlood } from '../subscribers/sign-up-flood.ts';
import { hasFixableFailure } from '../deliveries/queue/unsent.ts';
import { findUpdateResults } from '../updates/update-results.ts';
import { formatMoment, formatPeople } from '../format.ts';
import { listUpdates, type UpdateSummary } from '../updates/update-progress.ts';

/** A problem that the owner can do something about; `id` is an update's id. */
export type OwnerTask = {
  kind: 'update' | 'flood' | 'sheet' | 'mail-server' | 'bounce-mailbox' | 'reports' | 'failed' | 'backup';
  title: string;
  cause: string;
  id?: string;
};

/** Finds what needs the owner's attention. @param now milliseconds since 1970 */
export async function findOwnerTasks(store: Store, env: Environment, now: number): Promise<OwnerTask[]> {
  const { db } = store;
  const tasks: OwnerTask[] = [];
  for (const update of await listUpdates(db)) {
    const task = await findUpdateTask(db, update, now);
    if (task !== undefined) tasks.push(task);
  }
  const flood = await readFlood(db);
  if (flood !== undefined) {
    const cause = `Since ${formatMoment(flood)}, new sign-ups have had to confirm by email, because somebody may be filling in other people’s addresses.`;
    tasks.push({ kind: 'flood', title: 'Far more sign-ups than usual', cause });
  }
  const ended = await readSheetEnd(db);
  if (ended !== undefined && env.SHEET_URL === undefined) {
    const cause = `Your spreadsheet was disconnected (SHEET_URL) while ${ended === '1' ? '1 change was waiting, which is not in it' : `${ended} changes were waiting, which are not in it`}. Your list is complete.`;
    tasks.push({ kind: 'sheet', title: 'Your spreadsheet is no longer updated', cause });
  }
  const outage = await readOutage(db);
  if (outage?.until !== undefined) {
    const cause = `${outage.reason}. Sending continues automatically after ${formatMoment(outage.until)}; nobody will miss anything.`;
    tasks.push({ kind: 'mail-server', title: 'Your mail account’s limit has been reached', cause });
  } else if (outage) {
    const cause = `No email has gone out since ${formatMoment(outage.since)}: ${outage.reason}. Waiting emails are retried; if this lasts, check your mail account under Settings, and your account with the provider.`;
    tasks.push({ kind: 'mail-server', title: 'Your mail server did not accept an email', cause });
  }
  const failure = env.BOUNCE_MAILBOX && (await readMailboxFailure(store, now));
  if (failure) {
    const cause = `It has not been read since ${formatMoment(failure.since)}: ${failure.reason}. ${ADVICE}`;
    tasks.push({ kind: 'bounce-mailbox', title: 'Your bounce mailbox cannot be read', cause });
  }
  const reports = await listUnmatched(db);
  if (reports.length > 0) {
    const title =
      reports.length === 1 ? '1 report couldn’t be matched' : `${reports.length} reports couldn’t be matched`;
    const emails = [...new Set(reports.map(({ email }) => email))].slice(0, MAX_NAMED).join(', ');
    const cause = `Such a report says that an email did not arrive, but not which one. The addresses in them: ${emails}. Mark each as undeliverable, or ignore it.`;
    tasks.push({ kind: 'reports', title, cause });
  }
  if (await hasFixableFailure(db)) {
    const cause = 'The list gives the reason for each, and you can retry them.';
    tasks.push({ kind: 'failed', title: 'Some emails could not be sent', cause });
  }
  const backup = await findBackupTask(db, now);
  return backup === undefined ? tasks : [...tasks, backup];
}

/** Finds out whether an update is paused, or has been sent and has failed emails that can be retried. */
async function findUpdateTask(db: Store['db'], update: UpdateSummary, now: number): Promise<OwnerTask | undefined> {
  const { id, subject, state, state_reason: reason, finished_at: at } = update;
  if (state === 'paused') {
    const cause = `“${subject}” stopped: ${reason?.replace(/\.$/, '') ?? 'no reason was recorded'}.`;
    return { kind: 'update', title: 'Your update is paused', cause, id };
  }
  if (state !== 'sent' || at === null || now - Date.parse(at) > WEEK_MS) return undefined;
  const { retryable } = await findUpdateResults(db, update);
  if (retryable === 0) return undefined;
  const cause = `“${subject}” has been sent, but these people’s emails were not accepted. Its page says why, and you can retry it.`;
  return { kind: 'update', title: `${formatPeople(retryable)} missed your update`, cause, id };
}

async function findBackupTask(db: Store['db'], now: number): Promise<OwnerTask | undefined> {
  const last = await readLastBackup(db);
  const failure = await readMetadata(db, BACKUP_FAILURE);
  if (failure !== undefined) {
    const cause = `${failure.replace(/\.$/, '')}. It is retried every hour.`;
    return { kind: 'backup', title: 'The nightly backup could not be made', cause };
  }
  if (last !== undefined && now - Date.parse(last) <= MAX_BACKUP_AGE_MS) return undefined;
  const title = last === undefined ? 'No backup yet' : 'No backup for more than a week';
  const loss = last === undefined ? 'the whole list' : 'everything since then';
  return {
    kind: 'backup',
    title,
    cause: `If this machine breaks today, you lose ${loss}. Making one takes a few seconds.`,
  };
}

const MAX_NAMED = 5;
const WEEK_MS = 7 * 24 * 3600_000;
const MAX_BACKUP_AGE_MS = 8 * 24 * 3600_000;
