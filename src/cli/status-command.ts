import { countUnsent } from '#newsletter/deliveries/queue/unsent.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { describeReport, readWeek, WEEK_MS } from '#newsletter/weekly-mail/read-week.ts';
import { OPEN_DESK } from '#newsletter/mails/notices.ts';
import { printResult, type JsonOption, formatRows } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';

/** Shows the weekly email's figures for the last seven days. */
export async function showStatus({ store, env }: Opened, options: JsonOption): Promise<void> {
  const now = Date.now();
  const report = await readWeek(store, { from: now - WEEK_MS, to: now });
  const needs = await findOwnerTasks(store, env, now);
  const deliveries = await countUnsent(store);
  const facts = formatRows([
    ['Place', store.place],
    ...describeReport(report),
    ['Deliveries waiting', String(deliveries.waiting)],
    ['Deliveries failed', String(deliveries.failed)],
  ]);
  const sentences = needs.map(({ title, cause }) => `${title}. ${cause}\n`).join('');
  const needed = needs.length === 0 ? '' : `\n${sentences}To deal with it, ${OPEN_DESK}.\n`;
  printResult(options, { place: store.place, ...report, deliveries, needs }, facts + needed);
}
