import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { agency } from 'virtual:content';
import { decodeText } from '#content/decode-text.ts';
import { createFileCheck } from '#content/list-files.ts';
import { parseUpdate, type Update } from '#content/parse-update.ts';
import { createPlaceholderFiller } from '#content/placeholders.ts';
import { formatMistake, type Mistake } from '#content/yaml-text.ts';
import type { MailTemplate } from '#mail/templates/mail-template.ts';
import { renderUpdateMail } from '#mail/templates/update-mail.tsx';
import type { Places } from '../command/find-places.ts';

/** An update of a file, ready to be shown or sent. */
export type ReadUpdate = { file: string; update: Update; template: MailTemplate };

/**
 * Reads and renders an update.
 * @param file of content/updates/: its name, or a path that leads there
 * @throws with a line for each mistake: file, line, column and what to do
 */
export async function readUpdateFile(file: string, places: Pick<Places, 'site' | 'updates'>): Promise<ReadUpdate> {
  const path = findUpdateFile(file, places.updates);
  const { text = '', mistakes: unreadable } = decodeText(readFileSync(path));
  refuse(file, unreadable);
  const { update, mistakes } = parseUpdate(text, {
    fill: createPlaceholderFiller(agency, { isWhole: true }),
    isPublicFile: createFileCheck(places.site),
  });
  refuse(file, mistakes);
  return { file: basename(path), update: update!, template: renderUpdateMail(update!, agency) };
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
function findUpdateFile(file: string, updates: string): string {
  const name = basename(file);
  if (file !== name && dirname(resolve(file)) !== resolve(updates)) {
    throw new Error(`${file}: updates are kept in ${updates}. Put it there, and type its name alone`);
  }
  const found = [name, `${name}.md`].map((each) => join(updates, each)).find(isFile);
  if (found === undefined) throw new Error(`${file}: there is no such file in ${updates}`);
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
