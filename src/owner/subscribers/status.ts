import { describeSummary } from '#mail/summary/describe-summary.ts';
import { readSummary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { type Answer, print, write } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

/** How the list and its server are doing: the facts of the weekly summary, of the seven days until now. */
export async function status(opened: Opened, { json }: Answer): Promise<void> {
  const now = Date.now();
  const summary = await readSummary(opened, { from: now - WEEK_MS, to: now }, now);
  const { lastPurgedAt, leaving, doubt } = summary.retention;
  if (json) {
    const retention = { lastPurgedAt: lastPurgedAt ?? null, leaving, doubt: doubt ?? null };
    const visits = { ...summary.visits, uncounted: summary.visits.uncounted ?? null };
    return print({ ...summary, mailTrouble: summary.mailTrouble ?? null, retention, visits });
  }
  const { needed, sections } = describeSummary(summary);
  write(
    table(
      ['Place', summary.place],
      sections.flatMap(({ rows }) => rows),
    ),
  );
  if (needed.length > 0) write(`\n${needed.join('\n')}\n`);
}
