/**
 * A program of its own, to free its memory when it ends: a desk starts it when the owner publishes, and
 * a server with newer code at its start. It ends with the program that started it.
 */
import { explainError } from '#shared/explain-codes.ts';
import { buildContent, type ContentBuild } from './build-site.ts';

/** Its messages to the program that started it. */
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
