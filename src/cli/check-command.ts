import { printResult, type JsonOption, write } from './print.ts';
import type { Opened } from '#newsletter/open-list.ts';
import { checkSender } from '#newsletter/updates/sender-findings.ts';
import { readUpdateFile, rejectMissingPictures, type UpdateSources } from '#newsletter/updates/read-update-file.ts';

export type CheckOptions = JsonOption & { selector?: string };

/**
 * Checks an update, and the sender.
 * @param file an update; if omitted, only the sender is checked
 * @throws if the update is invalid or, after all findings have been printed, if a check of the sender failed
 */
export async function checkSending(
  opened: Opened,
  file: string | undefined,
  { selector, ...options }: CheckOptions,
  sources: UpdateSources,
): Promise<void> {
  const read = file === undefined ? undefined : await readUpdateFile(file, sources);
  if (read !== undefined) await rejectMissingPictures(read, opened.env.SITE_URL);
  const findings = await checkSender(sources.sender.agency.email, selector, opened.env.SMTP_URL);
  const lines = findings.map(
    ({ what, isFine, isUnknown, found, advice }) =>
      `${isFine ? '✓' : isUnknown ? '?' : '✗'} ${what}: ${found}\n${advice === undefined ? '' : `  ${advice}\n`}`,
  );
  if (!options.json) write((read?.warnings ?? []).map((warning) => `${warning}\n`).join(''));
  printResult(options, findings, lines.join(''));
  const wrong = findings.filter(({ isFine, isUnknown }) => !isFine && !isUnknown).length;
  if (wrong > 0) throw new Error(`${wrong} of ${findings.length} checks failed.`);
}
