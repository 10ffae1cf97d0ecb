import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseUpdate, type Update } from '#content/parse-update.ts';
import { placeholderFiller } from '#content/placeholders.ts';
import { lineOf } from '#content/yaml-text.ts';
import type { Agency } from '#shared/content-schema.ts';
import type { MailTemplate } from '#mail/templates/mail-template.ts';
import { renderUpdateMail } from '#mail/templates/update-mail.tsx';

/** Where updates and the files that they show lie: in the project, or in its build. */
export type UpdatePlaces = { updates: string; publicFiles: string };

/** An update of a file, ready to be shown or sent. */
export type ReadUpdate = { file: string; update: Update; template: MailTemplate };

/**
 * Reads and renders an update.
 * @param file a path, or the name of a file in content/updates/
 * @throws with a line for each mistake: file, line, column and what to do
 */
export async function readUpdateFile(file: string, places: UpdatePlaces, agency: Agency): Promise<ReadUpdate> {
  const path = findUpdateFile(file, places);
  const { update, mistakes } = parseUpdate(readFileSync(path, 'utf8').replaceAll(/\r\n?/g, '\n'), {
    fill: placeholderFiller(agency, { isWhole: true }),
    isPublicFile: (name) => existsSync(join(places.publicFiles, name)),
  });
  if (update === undefined) throw new Error(mistakes.map((mistake) => lineOf(file, mistake)).join('\n'));
  return { file: basename(path), update, template: await renderUpdateMail(update, agency) };
}

/** @throws when there is no such file */
export function findUpdateFile(file: string, { updates }: UpdatePlaces): string {
  const found = [file, join(updates, basename(file)), join(updates, `${basename(file)}.md`)].find((path) =>
    existsSync(path),
  );
  if (found === undefined) throw new Error(`${file}: there is no such file, nor one of this name in ${updates}`);
  return found;
}
