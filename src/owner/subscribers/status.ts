import { describeSummary } from '#mail/summary/describe-summary.ts';
import { readSummary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { answer, type Answer } from '../command/print.ts';
import { table } from '../command/table.ts';
import type { Opened } from '../command/with-store.ts';

/** How the list and its server are doing: the facts of the weekly summary, of the seven days until now. */
export async function status(opened: Opened, options: Answer): Promise<void> {
  const now = Date.now();
  const summary = await readSummary(opened, { from: now - WEEK_MS, to: now }, now);
  const { needed, sections } = describeSummary(summary);
  const facts = table(
    ['Place', summary.place],
    sections.flatMap(({ rows }) => rows),
  );
  answer(options, summary, needed.length > 0 ? `${facts}\n${needed.join('\n')}\n` : facts);
}
