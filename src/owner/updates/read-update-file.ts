import { basename, dirname, resolve } from 'node:path';
import { agency } from '#content/site-content.ts';
import { createFileCheck } from '#content/list-files.ts';
import { parseUpdate, type Update } from '#content/parse-update.ts';
import { createPlaceholderFiller } from '#content/placeholders.ts';
import { formatMistake, type Mistake } from '#content/yaml-text.ts';
import type { MailTemplate } from '#mail/templates/mail-template.ts';
import { renderUpdateMail } from '#mail/templates/update-mail.tsx';
import type { Places } from '../command/find-places.ts';
import { readSource, type Source } from './update-files.ts';

/** An update of a file, ready to be shown or sent. */
export type ReadUpdate = { file: string; update: Update; template: MailTemplate };

/**
 * Reads and renders an update.
 * @param file of content/updates/: its name, or a path that leads there
 * @throws with a line for each mistake: file, line, column and what to do
 */
export async function readUpdateFile(file: string, places: Pick<Places, 'site' | 'updates'>): Promise<ReadUpdate> {
  const source = findSource(file, places.updates);
  const name = `${source.name}.md`;
  refuse(name, source.mistakes);
  const { update, mistakes } = parseUpdate(source.text, {
    fill: createPlaceholderFiller(agency, { isWhole: true }),
    isPublicFile: createFileCheck(places.site),
  });
  refuse(name, mistakes);
  return { file: name, update: update!, template: renderUpdateMail(update!, agency) };
}

/**
 * Readers load an update's pictures from the running site, which may be older than the file.
 * @param site the origin of the running site; undefined where it has none yet
 * @throws with a line for each picture that it does not serve
 */
export async function refuseMissingPictures({ file, update }: ReadUpdate, site: string | undefined): Promise<void> {
  if (site === undefined) return;
  const mistakes = await Promise.all(
    update.images.map(async ({ url, line }) => {
      const found = await requestPicture(site + url);
      const message = `image: ${site} ${found} for ${url}. Deploy the site with this picture first`;
      return found === undefined ? [] : [{ line, column: 1, message }];
    }),
  );
  refuse(file, mistakes.flat());
}

/** @returns what is wrong */
async function requestPicture(url: string): Promise<string | undefined> {
  try {
    const { status, headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    if (status !== 200) return `answers ${status}`;
    return headers.get('content-type')?.startsWith('image/') ? undefined : 'answers with no picture';
  } catch {
    return 'does not answer';
  }
}

function refuse(file: string, mistakes: Mistake[]): void {
  if (mistakes.length > 0) throw new Error(mistakes.map((mistake) => formatMistake(file, mistake)).join('\n'));
}

/** @throws when there is no such file, or the path leads elsewhere */
function findSource(file: string, updates: string): Source {
  if (file !== basename(file) && dirname(resolve(file)) !== resolve(updates)) {
    throw new Error(`${file}: updates are kept in ${updates}. Put it there, and type its name alone`);
  }
  const source = readSource(updates, basename(file, '.md'));
  if (source === undefined) throw new Error(`${file}: there is no such file in ${updates}`);
  return source;
}
