import type { Agency } from '#shared/agency-schema.ts';
import { describeError } from '#shared/describe-error.ts';
import type { Environment } from '#shared/environment.ts';
import { runEvery } from '#shared/run-every.ts';
import { keepMetadata } from '#store/metadata.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { renderSummaryMail } from '../templates/summary-mail.tsx';
import type { Store } from '#store/open-store.ts';
import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';
import type { Period } from './read-list.ts';
import { readSummary } from './read-summary.ts';

type Options = {
  store: Store;
  env: Environment;
  agency: Agency;
  /** Takes one line without any address of a person. */
  log: (line: string) => void;
};

/**
 * Queues the owner's summary on Mondays from eight o'clock in London, once however many servers run. If no server
 * runs on a Monday, that week has no summary.
 * @returns ends it, and waits for what is under way
 */
export function runWeeklySummary(options: Options): () => Promise<void> {
  return runEvery(POLL_MS, () =>
    queueWhenDue(options, Date.now()).catch((error: unknown) => {
      options.log(`Weekly summary: not made (${describeError(error)}); tried again in a minute.`);
    }),
  );
}

/**
 * The week that a summary is due for.
 * @param now milliseconds since 1970
 * @returns `monday` is the date on which it is sent, written as `2026-11-23`; the seven days before it are the period
 */
export function findWeek(now: number): { monday: string; isDue: boolean; period: Period } {
  const at = onOwnersClock(now);
  const monday = at.toPlainDate().subtract({ days: at.dayOfWeek - 1 });
  return {
    monday: monday.toString(),
    isDue: at.dayOfWeek === 1 && at.hour >= FIRST_HOUR,
    period: { from: startOfDay(monday.subtract({ days: 7 })), to: startOfDay(monday) },
  };
}

const POLL_MS = 60_000;
const FIRST_HOUR = 8;

async function queueWhenDue({ store, agency, ...rest }: Options, now: number): Promise<void> {
  const { monday, isDue, period } = findWeek(now);
  // A new site has nothing to report yet: its first summary is that of the Monday after.
  const last = await store.transaction((tx) => keepMetadata(tx, LAST_WEEK, monday));
  if (!isDue || last === monday) return;
  const summary = await readSummary({ store, ...rest }, period, now);
  const mail = renderSummaryMail(summary, agency);
  await store.transaction(async (tx) => {
    // Another server may have queued it; the row's lock lets one of them through.
    const { numUpdatedRows } = await tx
      .updateTable('metadata')
      .set({ value: monday })
      .where('name', '=', LAST_WEEK)
      .where('value', '<>', monday)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await tx
      .insertInto('deliveries')
      .values(createDelivery('summary', null, mail, now))
      .execute();
  });
}

const LAST_WEEK = 'last-summary-week';
