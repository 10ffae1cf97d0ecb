/**
 * A program of its own, so that the memory of making a site ends with it: a desk starts it when its owner publishes, and
 * a server of other code at its start. It ends with the program that started it.
 */
import { explainError } from '#shared/explain-codes.ts';
import { buildContent, type ContentBuild } from './build-content.ts';

/** What it tells the program that started it. */
export type MakeSiteMessage = { step: 'checked' } | { step: 'made' } | { step: 'failed'; reason: string };

process.on('disconnect', () => process.exit(1));
const tell = (message: MakeSiteMessage) => process.send?.(message);

try {
  const task = JSON.parse(process.argv[2]!) as ContentBuild;
  await buildContent(task, () => tell({ step: 'checked' }));
  tell({ step: 'made' });
} catch (error) {
  tell({ step: 'failed', reason: explainError(error) });
}
process.disconnect();
