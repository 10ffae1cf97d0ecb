/**
 * Builds a site in a separate process, so that its memory is freed when it exits. A server starts it when the owner
 * publishes, and when the published site is missing or incomplete. It exits when that server does.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import type { Misfit } from '#content/apply-overlay.ts';
import type { Overlay } from '#content/overlay.ts';
import { describeError } from '#shared/describe-error.ts';
import { explainError, isForOwner, UNEXPECTED } from '#shared/explain-codes.ts';
import { buildContent, type ContentBuild } from './build-site.ts';
import { writeOverlaidContent } from './write-overlaid-content.ts';

/** @property base absolute path of content/ as it is in Git @property pages files of the build, such as `terms.html` */
export type BuildSiteTask = Omit<ContentBuild, 'content'> & {
  base: string;
  overlay: Overlay;
  /** Absolute path of a folder with the pictures of the overlay. */
  pictures: string;
  pages: string[];
};

/** The messages that this process sends to its parent. */
export type BuildSiteMessage =
  | { step: 'checked'; misfits: Misfit[] }
  | { step: 'made' }
  | { step: 'failed'; reason: string };

process.on('disconnect', () => process.exit(1));
const tell = (message: BuildSiteMessage) => process.send?.(message);

try {
  const [task] = (await once(process, 'message')) as [BuildSiteTask];
  const content = join(task.out, 'content');
  const misfits = await writeOverlaidContent(task, content);
  await buildContent({ ...task, content }, () => tell({ step: 'checked', misfits }));
  tell({ step: 'made' });
} catch (error) {
  // This process has the server's stderr, so this goes to the server's log.
  if (!isForOwner(error)) process.stderr.write(`Publishing: the build failed (${describeError(error)}).\n`);
  tell({ step: 'failed', reason: isForOwner(error) ? explainError(error) : UNEXPECTED });
}
process.disconnect();
