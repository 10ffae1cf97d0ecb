import { resolve } from 'node:path';
import type { MailSite } from '../mails/mail-layout.tsx';
import { describeError } from '#shared/describe-error.ts';
import type { Environment } from '#settings/environment.ts';
import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';
import { runEvery } from '#shared/run-every.ts';
import { keepMetadata } from '../database/metadata.ts';
import { KEPT_DAYS } from '../backup/private-file.ts';
import { readLastBackup } from '../backup/last-backup.ts';
import { formatMoment } from '../format.ts';
import { createDelivery } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import { renderWeeklyMail } from '../mails/weekly-mail.tsx';
import { findOwnerTasks } from './find-owner-tasks.ts';
import { type Period, readWeek } from './read-week.ts';

/** `log` takes one line, which contains no email address. */
type Options = { store: Store; env: Environment; site: () => MailSite; log: (line: string) => void };

/**
 * Queues the owner's email on Mondays from eight o'clock, London time, on one of the servers. If no server is running
 * on a Monday, no email is sent that week.
 * @returns a function that stops it and waits for the work in progress
 */
export function runWeeklyMail(options: Options): () => Promise<void> {
  const report = (error: unknown) =>
    options.log(`Weekly email: not made (${describeError(error)}); trying again in a minute.`);
  return runEvery(60_000, () => queueWhenDue(options, Date.now()).catch(report));
}

/**
 * @returns the Monday of this week, such as `2026-11-23`; whether its email is due; the seven days before that Monday
 */
export function findWeek(now: number): { monday: string; isDue: boolean; period: Period } {
  const at = onOwnersClock(now);
  const monday = at.toPlainDate().subtract({ days: at.dayOfWeek - 1 });
  return {
    monday: monday.toString(),
    isDue: at.dayOfWeek === 1 && at.hour >= 8,
    period: { from: startOfDay(monday.subtract({ days: 7 })), to: startOfDay(monday) },
  };
}

async function queueWhenDue({ store, env, site }: Options, now: number): Promise<void> {
  const { monday, isDue, period } = findWeek(now);
  // A new site has nothing to report yet, so its first email is sent the following Monday.
  const last = await store.transaction((tx) => keepMetadata(tx, LAST_WEEK, monday));
  if (!isDue || last === monday) return;
  const week = {
    report: await readWeek(store, period),
    tasks: await findOwnerTasks(store, env, now),
    backups: await describeBackups(store, env),
  };
  const mail = renderWeeklyMail(week, site());
  await store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('metadata')
      .set({ value: monday })
      .where('name', '=', LAST_WEEK)
      .where('value', '<>', monday)
      .executeTakeFirst();
    // Another server may have queued it.
    if (numUpdatedRows === 0n) return;
    await tx
      .insertInto('deliveries')
      .values(createDelivery('summary', null, mail, now))
      .execute();
  });
}

async function describeBackups({ db }: Store, { PRIVATE_DIR }: Environment): Promise<string> {
  const last = await readLastBackup(db);
  if (last === undefined) return 'None has been made yet.';
  return `The last was made ${formatMoment(last)}. Backups of the last ${KEPT_DAYS} days are in ${resolve(PRIVATE_DIR)}; you can download them on your desk, under Backup.`;
}

const LAST_WEEK = 'last-summary-week';
